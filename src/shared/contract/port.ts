import type { Reply } from './reply.ts'
import type { PushedEvent } from './transport.ts'
import type { FileTarget } from './transport.ts'

/**
 * Chunk size in bytes for a file without a path: the page reads the chunks one at a time, as the core requests them.
 */
export const fileChunkBytes = 4 * 1024 * 1024

/**
 * Message from a page's preload to the core over the page's port. Only the preload has the port: a page cannot specify a
 * path.
 */
export type PortRequest =
  | { readonly t: 'req'; readonly id: number; readonly route: string; readonly payload: unknown }
  /** A file; `path` is null if it is not on disk, in which case the core requests it in chunks. */
  | {
      readonly t: 'file'
      readonly id: number
      readonly target: FileTarget
      readonly name: string
      readonly size: number
      readonly path: string | null
    }
  /** The requested chunk; null after the last one. */
  | { readonly t: 'piece'; readonly id: number; readonly bytes: ArrayBuffer | null }
  /** The requested chunk cannot be read: the file was changed or removed in the meantime. */
  | { readonly t: 'unreadable'; readonly id: number }
  | { readonly t: 'cancel'; readonly id: number }
  /** All events up to the one with this mark were processed. */
  | { readonly t: 'confirm'; readonly mark: number }

/** Message from the core. */
export type PortAnswer =
  | { readonly t: 'res'; readonly id: number; readonly reply: Reply<unknown> }
  /** An event; if `confirm` is set, the page confirms that mark as soon as it has processed the event. */
  | { readonly t: 'push'; readonly event: PushedEvent; readonly confirm?: number }
  /** The page was unresponsive for so long that it missed events: it must reload everything. */
  | { readonly t: 'missed' }
  /** Requests the next chunk of a file. */
  | { readonly t: 'more'; readonly id: number }
  /** Bytes of a file received so far; sent at most ten times a second. */
  | { readonly t: 'progress'; readonly id: number; readonly bytes: number }
