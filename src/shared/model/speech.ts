import type { Failure } from '../bridge/reply.ts'

/** How a text is to be spoken (service-notes 3). */
export interface SpeechVoice {
  /** Its id at the service. */
  readonly id: string
  /** As it is shown. */
  readonly name: string
}

/** What a speech is made with; changed as a whole. */
export interface SpeechSettings {
  /** Whose voices and whose model; null: the account that is active. */
  readonly accountId: string | null
  /** Null until one was chosen: nothing is sent before. */
  readonly voice: SpeechVoice | null
  /** 0.5 to 2. */
  readonly speed: number
  /** Above 0, at most 10. */
  readonly volume: number
  /** The audible and hidden mark of the service; without it only for accounts that may. */
  readonly watermark: boolean
  /** Most UTF-16 units of one piece. */
  readonly pieceLength: number
  /** Whether each piece is transcribed and compared with its text. */
  readonly check: boolean
  /** How often a piece in which words are missing is spoken anew by itself: each time is paid, so it is 0 until the user chose it for this speech. */
  readonly paidRetries: number
  /** Milliseconds of silence between two pieces, and after a paragraph. */
  readonly pauseMs: number
  readonly paragraphMs: number
  /** Milliseconds by which two pieces without a pause between them overlap. */
  readonly crossfadeMs: number
  /** Whether pieces are brought to the same loudness. */
  readonly matchLoudness: boolean
}

/** What a new speech begins with. */
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
 * `idle`: not asked for (yet); `queued`: will be spoken by itself, also after a restart and when the network is back; `speaking`;
 * `checking`: spoken, is being heard; `done`; `failed`: needs the user; `stale`: spoken, but not as text and settings say now;
 * `silent`: there is nothing to say in it.
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

/** A difference between a piece and what was heard of it. Offsets are UTF-16 units of the take's text; `added` has no length. */
export interface CheckDifference {
  readonly kind: 'missing' | 'added' | 'changed'
  readonly from: number
  readonly to: number
  /** What was heard there. */
  readonly heard: string
}

/** What came of hearing a take again. */
export type TakeCheck =
  | {
      readonly state: 'heard'
      /** 0 to 1. */
      readonly score: number
      readonly marks: readonly CheckDifference[]
      /** All that was heard. */
      readonly heard: string
      /** Which engine heard it, in its own words. */
      readonly engine: string
      /** The engine itself was not sure of what it heard. */
      readonly unsure: boolean
    }
  /** `language`: the engine does not understand the language of the text; `failed`: the call failed, for the reason given. */
  | {
      readonly state: 'unchecked'
      readonly reason: 'language' | 'failed'
      readonly engine: string
      readonly error: Failure | null
    }

/** One generation of a piece. Every one is kept. */
export interface SpeechTake {
  readonly id: string
  readonly segmentId: string
  readonly mediaId: string
  /** What was sent. */
  readonly text: string
  readonly voice: SpeechVoice
  readonly speed: number
  readonly volume: number
  readonly watermark: boolean
  readonly accountId: string
  readonly accountName: string
  /** Who spoke it, where the reply names it, and what it could not do. */
  readonly engine: string | null
  readonly notice: string | null
  readonly durationMs: number
  readonly favourite: boolean
  /** Taken from an earlier generation of the same text with the same voice and settings: nothing was paid. */
  readonly reused: boolean
  /** Null when it was not asked to be heard. */
  readonly check: TakeCheck | null
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** A stretch of the text that is spoken in one call. */
export interface SpeechSegment {
  readonly id: string
  /** With the white space behind it: pieces put together are the text. */
  readonly text: string
  /** A paragraph ends with it. */
  readonly paragraph: boolean
  readonly state: SegmentState
  /** The take that stands; null before the first. */
  readonly take: SpeechTake | null
  /** How many takes there are. */
  readonly takes: number
  /** Why it failed, or what it waits for. */
  readonly error: Failure | null
  /** Unix milliseconds of the next try by itself. */
  readonly nextTryAt: number | null
}

/** Where a piece lies in the joined sound. */
export interface JoinedSegment {
  readonly pieceId: string
  readonly startMs: number
  readonly endMs: number
}

/** All pieces as one sound. */
export interface JoinedSpeech {
  /** Wav, one channel of 16 bit. */
  readonly mediaId: string
  /** Its peaks: audiowaveform's data format, version 2. */
  readonly peaksId: string
  readonly durationMs: number
  readonly sampleRate: number
  /** False when takes or settings are others since. */
  readonly current: boolean
  /** Pieces that were left out because they had no take. */
  readonly missing: number
  /** Unix milliseconds. */
  readonly at: number
}

/** How far the pieces are. */
export interface SegmentCounts {
  readonly pieces: number
  readonly done: number
  /** Queued, speaking or checking. */
  readonly open: number
  readonly failed: number
  readonly stale: number
}

/** What lists show of a speech. */
export interface SpeechBrief {
  readonly voice: string | null
  readonly counts: SegmentCounts
  /** Of the joined sound; null before. */
  readonly durationMs: number | null
}

/** A text and what was spoken of it, without its pieces. */
export interface Speech {
  readonly id: string
  readonly title: string
  readonly settings: SpeechSettings
  readonly counts: SegmentCounts
  /** UTF-16 units of the text. */
  readonly length: number
  readonly joined: JoinedSpeech | null
  /** It is being joined now. */
  readonly joining: boolean
  /** Why joining failed the last time. */
  readonly joinError: Failure | null
  /** Pieces wait for the network or for another try. */
  readonly waiting: boolean
  /** Unix milliseconds. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly deletedAt: number | null
}
