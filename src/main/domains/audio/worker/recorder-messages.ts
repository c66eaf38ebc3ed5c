import type { CaptureEvent } from '../../../../shared/model/meeting.ts'
import type { SessionSummary } from './repair.ts'
import type { SessionHead } from '../../../platform/audio/session-files.ts'

/** Settings that the recorder's worker receives at its start. */
export interface RecorderSettings {
  /** Bytes that stay free on the disk. */
  readonly reserveBytes: number
  readonly partSeconds?: number
}

/** Requests to the recorder's worker: the only writer of live sessions. Processed in order for each session. */
export type RecorderRequest =
  | { readonly type: 'open'; readonly folder: string; readonly head: SessionHead }
  /**
   * Samples from `frame` on (16 bit, interleaved). Samples before the written end are skipped; a block beyond it is rejected
   * with the frame that is expected. `fill` first writes silence up to `frame` (a reported gap).
   */
  | {
      readonly type: 'write'
      readonly folder: string
      readonly frame: number
      readonly samples: Uint8Array
      readonly fill: boolean
    }
  | { readonly type: 'event'; readonly folder: string; readonly event: CaptureEvent }
  | { readonly type: 'close'; readonly folder: string }
  /** Repairs a session that has no writer; returns a {@link SessionSummary}, or null if there is no session. */
  | { readonly type: 'repair'; readonly folder: string }
  /** Describes the content of the folder without changing it; same reply as `repair`. */
  | { readonly type: 'describe'; readonly folder: string }

/** Reply of the worker: a summary to `repair` and `describe`, and this to all other requests. */
export type RecorderReply = RecorderAnswer | SessionSummary | null

/**
 * `frames`: frames written so far. `wanted`: the block was rejected. `full`: disk reserve reached; the session was closed
 * cleanly.
 */
export interface RecorderAnswer {
  readonly frames: number
  readonly wanted: boolean
  readonly full: boolean
  /** Peak of the newest block per channel, 0 to 1, and whether it is exactly zero throughout. */
  readonly levels: readonly {
    readonly peak: number
    readonly rms: number
    readonly zero: boolean
  }[]
  /** Free bytes on the disk, checked about every ten seconds. */
  readonly freeBytes: number | null
}
