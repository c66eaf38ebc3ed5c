import type { Failure } from '../contract/reply.ts'

/** Voice of a narration (service-notes 3). */
export interface SpeechVoice {
  /** Its ID at the provider. */
  readonly id: string
  /** Display name. */
  readonly name: string
}

/** Settings of a narration; changed as a whole. */
export interface SpeechSettings {
  /** Account for voices and model; null means the active account. */
  readonly accountId: string | null
  /** Null until one is selected: nothing is sent before. */
  readonly voice: SpeechVoice | null
  /** 0.5 to 2. */
  readonly speed: number
  /** Above 0, at most 10. */
  readonly volume: number
  /** The provider's audible and hidden watermark; only some accounts may omit it. */
  readonly watermark: boolean
  /** Maximum number of UTF-16 units in one segment. */
  readonly pieceLength: number
  /** Whether each segment is transcribed and compared with its text. */
  readonly check: boolean
  /**
   * How often a segment with missing words is regenerated automatically: each time is billed, so it is 0 until the user
   * changes it for this narration.
   */
  readonly paidRetries: number
  /** Milliseconds of silence between two segments, and after a paragraph. */
  readonly pauseMs: number
  readonly paragraphMs: number
  /** Milliseconds by which two segments without a pause in between overlap. */
  readonly crossfadeMs: number
  /** Whether segments are normalized to the same loudness. */
  readonly matchLoudness: boolean
}

/** Settings of a new narration. */
export const defaultSpeech: SpeechSettings = {
  accountId: null,
  voice: null,
  speed: 1,
  volume: 1,
  watermark: true,
  pieceLength: 280,
  check: true,
  paidRetries: 0,
  pauseMs: 250,
  paragraphMs: 700,
  crossfadeMs: 0,
  matchLoudness: true,
}

/**
 * `idle`: not requested (yet); `queued`: generated automatically, also after a restart and when the network is back;
 * `speaking`: being generated; `checking`: generated, being transcribed; `done`; `failed`: needs the user; `stale`:
 * generated, but out of date with the text or settings; `silent`: contains nothing to speak.
 */
export type SegmentState =
  | 'idle'
  | 'queued'
  | 'speaking'
  | 'checking'
  | 'done'
  | 'failed'
  | 'stale'
  | 'silent'

/**
 * A difference between a segment and its transcription. Offsets are UTF-16 units of the take's text; `added` has no length.
 */
export interface CheckDifference {
  readonly kind: 'missing' | 'added' | 'changed'
  readonly from: number
  readonly to: number
  /** Transcription of this range. */
  readonly heard: string
}

export type TakeCheck =
  | {
      readonly state: 'heard'
      /** 0 to 1. */
      readonly score: number
      readonly marks: readonly CheckDifference[]
      /** Complete transcription. */
      readonly heard: string
      /** Name of the engine that transcribed it. */
      readonly engine: string
      /** Whether the engine itself was not confident. */
      readonly unsure: boolean
    }
  /** `language`: the engine does not support the language of the text; `failed`: the request failed, with the error. */
  | {
      readonly state: 'unchecked'
      readonly reason: 'language' | 'failed'
      readonly engine: string
      readonly error: Failure | null
    }

/** One generated audio of a segment. All are kept. */
export interface SpeechTake {
  readonly id: string
  readonly segmentId: string
  readonly mediaId: string
  /** The text that was sent. */
  readonly text: string
  readonly voice: SpeechVoice
  readonly speed: number
  readonly volume: number
  readonly watermark: boolean
  readonly accountId: string
  readonly accountName: string
  /** Engine, if named in the response, and its limitations. */
  readonly engine: string | null
  readonly notice: string | null
  readonly durationMs: number
  readonly favourite: boolean
  /**
   * Whether it was copied from an earlier take of the same text with the same voice and settings: nothing was billed.
   */
  readonly reused: boolean
  /** Null when no check was requested. */
  readonly check: TakeCheck | null
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** A segment of the text that is generated in one request. */
export interface SpeechSegment {
  readonly id: string
  /** Includes the white space after it: joined segments are the text. */
  readonly text: string
  /** Whether a paragraph ends with it. */
  readonly paragraph: boolean
  readonly state: SegmentState
  /** The selected take; null before the first. */
  readonly take: SpeechTake | null
  readonly takes: number
  /** Why it failed or is waiting. */
  readonly error: Failure | null
  /** Unix milliseconds of the next automatic attempt. */
  readonly nextTryAt: number | null
}

/** Position of a segment in the joined audio. */
export interface JoinedSegment {
  readonly pieceId: string
  readonly startMs: number
  readonly endMs: number
}

/** All segments as one audio file. */
export interface JoinedSpeech {
  /** WAV, one channel, 16 bit. */
  readonly mediaId: string
  /** Its peaks: audiowaveform's data format, version 2. */
  readonly peaksId: string
  readonly durationMs: number
  readonly sampleRate: number
  /** False when takes or settings have changed since. */
  readonly current: boolean
  /** Number of segments omitted because they had no take. */
  readonly missing: number
  /** Unix milliseconds. */
  readonly at: number
}

export interface SegmentCounts {
  readonly pieces: number
  readonly done: number
  /** Queued, generating or checking. */
  readonly open: number
  readonly failed: number
  readonly stale: number
}

export interface SpeechBrief {
  readonly voice: string | null
  readonly counts: SegmentCounts
  /** Duration of the joined audio; null before. */
  readonly durationMs: number | null
}

/** A text and its narration, without its segments. */
export interface Speech {
  readonly id: string
  readonly title: string
  readonly settings: SpeechSettings
  readonly counts: SegmentCounts
  /** Length of the text in UTF-16 units. */
  readonly length: number
  readonly joined: JoinedSpeech | null
  /** Whether it is being joined now. */
  readonly joining: boolean
  /** Why the last join failed. */
  readonly joinError: Failure | null
  /** Whether segments are waiting for the network or for another attempt. */
  readonly waiting: boolean
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly deletedAt: number | null
}
