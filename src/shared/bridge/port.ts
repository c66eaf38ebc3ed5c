import type { Reply } from './reply.ts'
import type { PushedEvent } from './transport.ts'

/**
 * Chunk size in bytes for a file without a path: the page reads the chunks one at a time, as the core requests them.
 */
export const fileChunkBytes = 4 * 1024 * 1024

/**
 * Destination of a file: the library, the folder for archives to import, or the temporary library of a self-test.
 */
export type FileTarget = 'intake' | 'archive' | 'self-test'

/** Properties of a page's file that are used here. */
export interface PageFile {
  readonly name: string
  readonly size: number
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/**
 * Message from a page's preload to the core over the page's port. Only the preload has the port: a page cannot specify a
 * path.
 */
export type PortRequest =
  | { readonly t: 'req'; readonly id: number; readonly route: string; readonly payload: unknown }
  /** A file; `path` is null when it has none on disk, and then the core asks for its pieces. */
  | {
      readonly t: 'file'
      readonly id: number
      readonly target: FileTarget
      readonly name: string
      readonly size: number
      readonly path: string | null
    }
  /** The piece that was asked for; null after the last one. */
  | { readonly t: 'piece'; readonly id: number; readonly bytes: ArrayBuffer | null }
  /** The piece that was asked for cannot be read: the file changed or was removed meanwhile. */
  | { readonly t: 'unreadable'; readonly id: number }
  | { readonly t: 'cancel'; readonly id: number }
  /** Everything up to the pushed event with this mark was read. */
  | { readonly t: 'confirm'; readonly mark: number }

/** Message from the core. */
export type PortAnswer =
  | { readonly t: 'res'; readonly id: number; readonly reply: Reply<unknown> }
  /** An event; the page confirms the mark in `confirm`, where there is one, as soon as it has read it. */
  | { readonly t: 'push'; readonly event: PushedEvent; readonly confirm?: number }
  /** The page did not read for so long that it missed events: it reads everything anew. */
  | { readonly t: 'missed' }
  /** The next piece of a file is wanted. */
  | { readonly t: 'more'; readonly id: number }
  /** Bytes of a file that were taken so far; at most ten a second. */
  | { readonly t: 'progress'; readonly id: number; readonly bytes: number }
