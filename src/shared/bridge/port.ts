import type { Reply } from './reply.ts'
import type { PushedEvent } from './transport.ts'

/** Bytes of a piece of a file that has no path: the page reads them one at a time, as the core asks. */
export const fileChunkBytes = 4 * 1024 * 1024

/** Where a file goes: into the library, into the place of archives to be imported, or into the throw-away library of a self-test. */
export type FileTarget = 'intake' | 'archive' | 'self-test'

/** A file of the page, as far as it is looked at here. */
export interface PageFile {
  readonly name: string
  readonly size: number
  slice(start: number, end: number): { arrayBuffer(): Promise<ArrayBuffer> }
}

/** What a page's preload sends to the core over the page's port. Only the preload holds the port: a page cannot name a path. */
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

/** What the core sends back. */
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
