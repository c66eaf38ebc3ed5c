import type { AppEvent, StreamEvent } from './events.ts'
import type { Reply } from './reply.ts'

/**
 * Functions a page needs from any host: the preload exposes them as `window.lectern`, and the loopback client implements
 * them over its WebSocket. `request` never rejects: a broken transport results in an INTERNAL or OFFLINE envelope.
 */
export interface Transport {
  request(route: string, payload: unknown): Promise<Reply<unknown>>
  /** Subscribes to pushed events; returns the function to unsubscribe. */
  on(listener: (event: PushedEvent) => void): () => void
}

/** Complete API of the Electron host's preload. */
export interface PreloadTransport extends Transport {
  /**
   * Subscribes to the core's state: `reconnecting` when its process ended, `open` when another one replaced it.
   */
  onState(listener: (state: 'open' | 'reconnecting') => void): () => void
  /**
   * Sends a file to the core: by its path if it has one on disk, which the page never sees, otherwise in chunks.
   * `onProgress` receives a fraction from 0 to 1. `stop` cancels it; `done` never rejects.
   */
  takeFile(
    file: PageFile,
    target: FileTarget,
    onProgress: (fraction: number) => void,
  ): { readonly done: Promise<Reply<unknown>>; stop(): void }
}

/** Everything main pushes, in one channel. */
export type PushedEvent =
  | { readonly channel: 'app'; readonly event: AppEvent }
  | { readonly channel: 'stream'; readonly event: StreamEvent }

/**
 * Names of the IPC channels of the Electron host. Calls and files use the page's own port, which is received over
 * `port`.
 */
export const channels = {
  /** Preload to main: this page requests its port. */
  connect: 'lectern:connect',
  port: 'lectern:port',
  /** Preload to main: the page requests the data of its first frame, so it is listening. */
  ready: 'lectern:ready',
  /** The core's process ended. */
  lost: 'lectern:lost',
  /** Another process replaced it. */
  back: 'lectern:back',
  /** Event from the host itself. */
  push: 'lectern:push',
} as const

/** Events to replay after a connection gap, so that the page reloads data whose events it may have missed. */
export const afterGap: readonly PushedEvent[] = [
  { channel: 'app', event: { type: 'settings.changed', settings: null } },
  { channel: 'app', event: { type: 'accounts.changed' } },
  { channel: 'app', event: { type: 'library.changed', itemIds: [] } },
]

/**
 * Key with which a browser tab authenticates in addition to its cookie: cookies are sent to every port of this computer,
 * the tab's key is not. Sent as a header of uploads, and as the second of two subprotocols of the bridge, of which the
 * host accepts the first.
 */
export const tabKey = {
  header: 'x-lectern-key',
  protocol: 'lectern',
  protocolPrefix: 'lectern-key.',
} as const

/**
 * Maximum bytes of a call over the WebSocket; the page itself rejects longer ones. Files are sent separately.
 */
export const maxCallBytes = 1024 * 1024

/** Path for importing files: `PUT /intake` with the bytes as body. */
export const intakePath = '/intake'
/** Header of that request: the file name, percent-encoded. */
export const intakeNameHeader = 'x-lectern-name'

/**
 * Same path for the temporary library of a running self-test: files sent to it are deleted at the end of the test.
 */
export const selfTestIntakePath = '/self-test/intake'

/**
 * Path for importing a library archive: `PUT /archive` with the bytes as body and its name in {@link intakeNameHeader}.
 * Returns an {@link ArchiveReply}.
 */
export const archivePath = '/archive'

/** Response of `PUT /archive`, in a Reply envelope. */
export interface ArchiveReply {
  readonly bytes: number
}

/**
 * Path for live audio: `PUT /capture/<meeting id>` with 16-bit little-endian interleaved samples as body. The header
 * specifies the first frame of the block; `fill` as second word (`480000 fill`) writes silence up to there first.
 * Returns a {@link CaptureReply}.
 */
export const capturePath = '/capture/'
/** Header of that request. */
export const captureFrameHeader = 'x-lectern-frame'

/** Response of `PUT /capture/<id>`, in a Reply envelope. */
export interface CaptureReply {
  /** Number of written frames: a page may discard its copy of earlier ones. */
  readonly frames: number
  /** The block was not accepted: the next one must begin at `frames` (or use `fill`). */
  readonly wanted: boolean
  /** The disk reserve is reached: the session was closed cleanly. */
  readonly full: boolean
}

/** Response of `PUT /intake`, in a Reply envelope. */
export interface IntakeReply {
  readonly media: import('../model/library.ts').Media
}

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

/** Path that receives the files for each destination. */
export const uploadPaths: Readonly<Record<FileTarget, string>> = {
  intake: intakePath,
  archive: archivePath,
  'self-test': selfTestIntakePath,
}

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
