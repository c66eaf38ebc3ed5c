import { join } from 'node:path'
import type { CaptureEvent, ChannelRole } from '../../shared/model/meeting.ts'

/**
 * Files of a meeting's sound, one folder each below `home/meetings/<id>`. The folder alone is enough to play and to repair a
 * meeting: no database, no model, no network. Samples are 16-bit little-endian, channels interleaved, in wav parts of ten minutes.
 */
export interface SessionFiles {
  readonly folder: string
  /** {@link SessionHead}, written whole and renamed into place. */
  readonly head: string
  /** {@link JournalEntry}, one JSON object a line, only ever appended to. */
  readonly journal: string
  /** Peaks in audiowaveform's version 2 format: int8 minimum and maximum of each channel, 20 pairs a second. */
  readonly peaks: string
  /** Parts from number 1 on. */
  part(number: number): string
}

/** What is known before the first sample. */
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

/** A line of the journal. `part` begins a part; `mark` is written about once a second with what is durable by then. */
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

/** Pairs of minimum and maximum a second and channel in the peaks file. */
export const peaksPerSecond = 20
/** Length of a part in seconds. */
export const partSeconds = 600
/** Bytes of the header of our wav parts (RIFF, fmt, data; nothing else). */
export const waveHeaderBytes = 44

/** The run that owns a session which a file is being read into: begun anew when it was cut off, never repaired. */
export const importRun = 'import'

/** Names of a session's files. */
export function sessionFiles(folder: string): SessionFiles {
  return {
    folder,
    head: join(folder, 'session.json'),
    journal: join(folder, 'journal.ndjson'),
    peaks: join(folder, 'peaks.dat'),
    part: (number) => join(folder, `part-${String(number).padStart(4, '0')}.wav`),
  }
}
