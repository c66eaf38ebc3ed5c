import type { Failure } from '../contract/reply.ts'

/** The provider's limits for voice samples (service-notes 3 and 16), and the local target values. */
export const sampleRules = {
  minMs: 3000,
  maxMs: 30_000,
  /** Recording stops automatically at this length: encoders may add a little. */
  recordMs: 29_000,
  maxBytes: 10 * 1024 * 1024,
  /** Maximum length of audio imported from a longer file. */
  takenMs: 300_000,
  /** Target level of speech in dBFS, and the maximum peak. */
  speechDb: -20,
  peakDb: -1,
} as const

/** Checks of a sample in display order. */
const checkNames = [
  'length',
  'speech',
  'speakers',
  'clipping',
  'noise',
  'loudness',
  'pauses',
  'edges',
  'offset',
] as const

export type CheckName = (typeof checkNames)[number]

/** An edit of a sample; each creates a new version of it. */
export type SampleFix =
  /** Keeps only a range of the sample. */
  | { readonly type: 'trim'; readonly startMs: number; readonly endMs: number }
  /** Trims the silence at both ends, leaving a short pause. */
  | { readonly type: 'edges' }
  /** Shortens pauses of more than a second to half a second. */
  | { readonly type: 'pauses' }
  /** Normalizes the loudness of speech, with limited peaks. */
  | { readonly type: 'loudness' }
  /** Removes steady noise: hiss, hum, fans. */
  | { readonly type: 'noise' }
  /** Restores clipped peaks. */
  | { readonly type: 'clipping' }
  /** Removes a constant (DC) offset. */
  | { readonly type: 'offset' }
  /** Applies all fixes that can be automatic, in one step. */
  | { readonly type: 'all' }

export interface SampleCheck {
  readonly name: CheckName
  /** `bad`: a clone would suffer; `warn`: it could be better. */
  readonly state: 'good' | 'warn' | 'bad'
  /** Why it failed, if there are several reasons: selects the message of the check. */
  readonly reason: string
  /** Values for the message: milliseconds, decibels, shares (0 to 1), counts. */
  readonly values: Readonly<Record<string, number>>
  /** The fix for it; null when only another recording helps. */
  readonly fix: SampleFix | null
}

/** Analysis of a version of a sample. */
export interface SampleReport {
  readonly durationMs: number
  readonly sampleRate: number
  readonly bytes: number
  readonly checks: readonly SampleCheck[]
  /** Minimum and maximum of the samples in each of up to 1,500 columns, -127 to 127, alternating. */
  readonly peaks: readonly number[]
  /** Ranges with speech, in milliseconds. */
  readonly speech: readonly (readonly [startMs: number, endMs: number])[]
}

export type SampleSource =
  | { readonly kind: 'recorded' }
  | { readonly kind: 'file'; readonly name: string; readonly cut: boolean }
  | {
      readonly kind: 'meeting'
      readonly meetingId: string
      readonly title: string
      readonly channel: number | 'mix'
      readonly startMs: number
      readonly endMs: number
    }

/** One version of a sample; the first is the original and is kept. */
export interface SampleVersion {
  readonly id: string
  /** The WAV file. */
  readonly mediaId: string
  /** The version it was created from; null for the first. */
  readonly parentId: string | null
  /** The edit applied to that version; null for the first. */
  readonly fix: SampleFix | null
  readonly durationMs: number
  /** Unix ms. */
  readonly createdAt: number
}

/** Transcript of a sample, transcribed (service-notes 4) and corrected. */
export interface SampleText {
  readonly text: string
  /** `none`: not transcribed yet; `heard`, `edited`: source of the current text. */
  readonly state: 'none' | 'hearing' | 'heard' | 'edited' | 'failed'
  /** The version that was transcribed or that the text was written for; another one may have another text. */
  readonly versionId: string | null
  /** The last transcription; null if there was none. */
  readonly heard: string | null
  /** How well the text matches it, 0 to 1; null when unknown: the on-device engine supports only English. */
  readonly fit: number | null
  /** Model that transcribed it. */
  readonly model: string | null
  readonly notice: string | null
  readonly error: Failure | null
}

/** The speaker and their consent; stored permanently with the voice. */
interface VoiceConsent {
  readonly who: string
  readonly whose: 'mine' | 'permission'
  readonly purpose: string
  /** When it was given, Unix ms. */
  readonly at: number
}

/**
 * One attempt to clone a voice (service-notes 3). `waiting`: not sent, continues when the account is available; `asking`: the
 * provider's list is checked for the result; `unknown`: it was sent, but the result is not known.
 */
export type CloneState =
  | 'waiting'
  | 'uploading'
  | 'cloning'
  | 'asking'
  | 'done'
  | 'failed'
  | 'unknown'

/** A voice cloned from a version of the sample. */
export interface VoiceClone {
  readonly id: string
  readonly versionId: string
  readonly accountId: string
  readonly accountName: string
  readonly voiceName: string
  /** Text of the preview. */
  readonly input: string
  /** The sample transcript that was sent. */
  readonly text: string
  readonly state: CloneState
  /** ID of the voice at the provider. */
  readonly voice: string | null
  /** Audio of the preview; null while there is none. */
  readonly previewId: string | null
  readonly previewKind: 'service' | 'spoken' | null
  /** Notice in the provider's response: that it cannot clone a voice, for example. */
  readonly notice: string | null
  readonly error: Failure | null
  readonly createdAt: number
  readonly endedAt: number | null
}

export interface SampleBrief {
  readonly id: string
  readonly title: string
  readonly durationMs: number
  /** `draft`: never cloned. */
  readonly state: 'draft' | 'working' | 'cloned' | 'failed'
  readonly consent: VoiceConsent | null
  readonly createdAt: number
}

/**
 * A user's voice: its sample in all versions, the transcript, the consent and the clones. An item of the Library.
 */
export interface VoiceSample extends SampleBrief {
  readonly deletedAt: number | null
  readonly source: SampleSource
  /** The selected language. */
  readonly language: string
  /** Oldest first. */
  readonly versions: readonly SampleVersion[]
  /** The current version. */
  readonly versionId: string
  readonly report: SampleReport
  readonly text: SampleText
  /** Newest first. */
  readonly clones: readonly VoiceClone[]
}
