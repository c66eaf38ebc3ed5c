import type { AppEvent, StreamEvent } from './events.ts'
import type { FileTarget, PageFile } from './port.ts'
import type { Reply } from './reply.ts'

/**
 * What a page needs of any host: the preload exposes it as `window.lectern`, and the loopback client rebuilds it over
 * its WebSocket. `request` never rejects: a broken transport is an INTERNAL or OFFLINE envelope.
 */
export interface Transport {
  request(route: string, payload: unknown): Promise<Reply<unknown>>
  /** Subscribes to pushed events; returns the function that unsubscribes. */
  on(listener: (event: PushedEvent) => void): () => void
}

/** The whole surface of the Electron host's preload. */
export interface PreloadTransport extends Transport {
  /** Subscribes to the core's standing: `reconnecting` when its process ended, `open` when another one took its place. */
  onState(listener: (state: 'open' | 'reconnecting') => void): () => void
  /**
   * Hands a file to the core: by its path when it has one on disk, which the page never sees, piece by piece otherwise.
   * `onProgress` gets a fraction from 0 to 1. `stop` ends it; `done` never rejects.
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

/** Names of the IPC channels of the Electron host. Calls and files go over the page's own port, which comes over `port`. */
export const channels = {
  /** Preload to main: this page wants its port. */
  connect: 'lectern:connect',
  port: 'lectern:port',
  /** Preload to main: the page asks for what its first frame needs, so it listens. */
  ready: 'lectern:ready',
  /** The core's process ended. */
  lost: 'lectern:lost',
  /** Another one took its place. */
  back: 'lectern:back',
  /** An event from the host itself. */
  push: 'lectern:push',
} as const

/** What a page must read anew after a gap: events may have been missed. */
export const afterGap: readonly PushedEvent[] = [
  { channel: 'app', event: { type: 'settings.changed' } },
  { channel: 'app', event: { type: 'accounts.changed' } },
  { channel: 'app', event: { type: 'library.changed', itemIds: [] } },
]

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
export const maxCallBytes = 1024 * 1024

/** Path of the one way files enter: `PUT /intake` with the bytes as body. */
export const intakePath = '/intake'
/** Header of that request: the file's name, percent-encoded. */
export const intakeNameHeader = 'x-lectern-name'

/** Path of the same for the throw-away library of a self-test, while one runs: what comes by it is deleted at the test's end. */
export const selfTestIntakePath = '/self-test/intake'

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
