import type { ChannelRole, Span } from '../../../shared/model/meeting.ts'
import type { Failed } from '../workers/failed.ts'

/** Requests to the audio worker: imports files, cuts segments, writes audio files. */
export type AudioRequest =
  /** Opens a file for import; its properties are returned as `opened`. */
  | {
      readonly type: 'open'
      readonly job: string
      readonly path: string
      readonly folder: string
      readonly id: string
      readonly title: string
      readonly channels: 'auto' | 'split' | 'mix'
    }
  /** Decodes about this many more seconds into the session; `done` at the end of the file, when the session is closed. */
  | { readonly type: 'more'; readonly job: string; readonly seconds: number }
  | { readonly type: 'abandon'; readonly job: string }
  /** Range of a channel (or `mix`) as a complete WAV file: 16 kHz, 16 bit, one channel. */
  | {
      readonly type: 'piece'
      readonly folder: string
      readonly channel: number | 'mix'
      readonly span: Span
    }
  /** Writes audio to a new file in steps; `more` continues. */
  | {
      readonly type: 'write'
      readonly job: string
      readonly folder: string
      readonly to: string
      readonly format: 'wav' | 'mp3'
      readonly channel: number | 'both' | 'mix'
      readonly range: Span | null
    }

/** Responses of the audio worker. */
export type AudioAnswer =
  | {
      readonly type: 'opened'
      readonly sampleRate: number
      readonly roles: readonly ChannelRole[]
      /** Duration in seconds as reported by the file; null if it reports none. */
      readonly seconds: number | null
    }
  | { readonly type: 'progress'; readonly doneMs: number; readonly done: boolean }
  | { readonly type: 'piece'; readonly bytes: Uint8Array }
  | { readonly type: 'none' }
  /** Unknown job: the program was restarted since the job was opened. */
  | { readonly type: 'unknown' }
  /** Failure, as an AppError of the other side. */
  | Failed
