import { join } from 'node:path'
import type { CaptureEvent, ChannelRole } from '../../../shared/model/meeting.ts'

/**
 * Files of a meeting's audio, one folder each below `home/meetings/<id>`. The folder alone is enough to play and to repair a
 * meeting: no database, no model, no network. Samples are 16-bit little-endian, channels interleaved, in WAV parts of ten
 * minutes.
 */
interface SessionFiles {
  readonly folder: string
  /** {@link SessionHead}, written in full and renamed into place. */
  readonly head: string
  /** {@link JournalEntry}, one JSON object per line, append-only. */
  readonly journal: string
  /** Peaks in audiowaveform's version 2 format: int8 minimum and maximum of each channel, 20 pairs per second. */
  readonly peaks: string
  /** Returns the path of a part; numbers begin at 1. */
  part(number: number): string
}

/** Facts known before the first sample. */
export interface SessionHead {
  readonly version: 1
  readonly id: string
  readonly title: string
  readonly state: 'open' | 'closed'
  readonly roles: readonly ChannelRole[]
  readonly sampleRate: number
  readonly labels: readonly string[]
  /** Unix ms. */
  readonly startedAt: number
  /** Process that writes; a session whose owner is gone is repaired at the next start. */
  readonly owner: { readonly pid: number; readonly run: string }
  /** Frames of the whole session, once it is closed. */
  readonly frames: number | null
}

/** Line of the journal. `part` begins a part; `mark` is written about once a second with the durable state. */
export type JournalEntry =
  | { readonly t: 'part'; readonly number: number; readonly frame: number; readonly at: number }
  | { readonly t: 'mark'; readonly frame: number; readonly crc: number; readonly at: number }
  | { readonly t: 'event'; readonly event: CaptureEvent; readonly at: number }
  | {
      readonly t: 'repaired'
      readonly frame: number
      readonly lostBytes: number
      readonly at: number
    }
  | { readonly t: 'closed'; readonly frame: number; readonly at: number }

/** Pairs of minimum and maximum per second and channel in the peaks file. */
export const peaksPerSecond = 20
/** Length of a part in seconds. */
export const partSeconds = 600

/** Run that owns a session into which a file is imported: restarted after an interruption, never repaired. */
export const importRun = 'import'

export function sessionFiles(folder: string): SessionFiles {
  return {
    folder,
    head: join(folder, 'session.json'),
    journal: join(folder, 'journal.ndjson'),
    peaks: join(folder, 'peaks.dat'),
    part: (number) => join(folder, `part-${String(number).padStart(4, '0')}.wav`),
  }
}
