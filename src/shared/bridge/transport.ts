import type { AppEvent, StreamEvent } from './events.ts'
import type { Reply } from './reply.ts'

/**
 * The whole surface between page and main: what the preload exposes as `window.lectern`, and what the loopback
 * client rebuilds over its WebSocket. `request` never rejects: a broken transport is an INTERNAL or OFFLINE envelope.
 */
export interface Transport {
  request(route: string, payload: unknown): Promise<Reply<unknown>>
  /** Subscribes to pushed events; returns the function that unsubscribes. */
  on(listener: (event: PushedEvent) => void): () => void
}

/** Everything main pushes, in one channel. */
export type PushedEvent =
  | { readonly channel: 'app'; readonly event: AppEvent }
  | { readonly channel: 'stream'; readonly event: StreamEvent }

/** Names of the two IPC channels of the Electron host. */
export const channels = { request: 'lectern:request', push: 'lectern:push' } as const

/**
 * How a browser tab proves itself beside its cookie: cookies go to every port of this computer, the tab's key does not.
 * As a header on uploads, and as the second of two subprotocols on the bridge, of which the host answers the first.
 */
export const tabKey = {
  header: 'x-lectern-key',
  protocol: 'lectern',
  protocolPrefix: 'lectern-key.',
} as const

/** Bytes of the longest call over the WebSocket; longer ones are refused by the page itself. Files go another way. */
export const longestCall = 1024 * 1024

/** Path of the one way files enter: `PUT /intake` with the bytes as body. */
export const intakePath = '/intake'
/** Header of that request: the file's name, percent-encoded. */
export const intakeNameHeader = 'x-lectern-name'

/** Path by which an archive of a library enters: `PUT /archive` with the bytes as body and its name in {@link intakeNameHeader}. Answers an {@link ArchiveReply}. */
export const archivePath = '/archive'

/** What `PUT /archive` answers with, in a Reply envelope. */
export interface ArchiveReply {
  readonly bytes: number
}

/**
 * Path of live sound: `PUT /capture/<meeting id>` with 16-bit little-endian interleaved samples as body. The header says the frame
 * the block begins at; `fill` as second word (`480000 fill`) writes silence up to there first. Answers a {@link CaptureReply}.
 */
export const capturePath = '/capture/'
/** Header of that request. */
export const captureFrameHeader = 'x-lectern-frame'

/** What `PUT /capture/<id>` answers with, in a Reply envelope. */
export interface CaptureReply {
  /** Frames that are written: a page may forget its copy of what lies before. */
  readonly frames: number
  /** The block was not taken: the next one must begin at `frames` (or say `fill`). */
  readonly wanted: boolean
  /** The disk's reserve is reached: the session was closed cleanly. */
  readonly full: boolean
}

/** What `PUT /intake` answers with, in a Reply envelope. */
export interface IntakeReply {
  readonly media: import('../model/library.ts').Media
}
