import type { Failure } from '../bridge/reply.ts'

/** What the service takes as a sample of a voice (service-notes 3 and 16), and what samples are made to here. */
export const sampleRules = {
  minMs: 3000,
  maxMs: 30_000,
  /** Recording stops by itself here: encoders may add a little. */
  recordMs: 29_000,
  maxBytes: 10 * 1024 * 1024,
  /** Sound that is kept of a longer file. */
  takenMs: 300_000,
  /** dB of full scale that speech is brought to, and the peak it may not pass. */
  speechDb: -20,
  peakDb: -1,
} as const

/** What is looked at in a sample, in the order in which it is shown. */
export const checkNames = [
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

/** One of them. */
export type CheckName = (typeof checkNames)[number]

/** Something that can be done to a sample; each makes a new version of it. */
export type SampleFix =
  /** Keeps a stretch of the sample. */
  | { readonly type: 'trim'; readonly startMs: number; readonly endMs: number }
  /** Takes the silence at both ends away, but for a breath. */
  | { readonly type: 'edges' }
  /** Makes pauses of more than a second half a second long. */
  | { readonly type: 'pauses' }
  /** Brings speech to one level, peaks capped. */
  | { readonly type: 'loudness' }
  /** Takes steady noise away: hiss, hum, fans. */
  | { readonly type: 'noise' }
  /** Puts peaks back that were cut off. */
  | { readonly type: 'clipping' }
  /** Takes a constant offset away. */
  | { readonly type: 'offset' }
  /** Everything that can be put right by itself, in one step. */
  | { readonly type: 'all' }

/** What a check found. */
export interface SampleCheck {
  readonly name: CheckName
  /** `bad`: a clone would suffer; `warn`: it would be better otherwise. */
  readonly state: 'good' | 'warn' | 'bad'
  /** Why, where there is more than one way to fail: the words of the check are chosen by it. */
  readonly reason: string
  /** Numbers for these words: milliseconds, decibels, shares (0 to 1), counts. */
  readonly values: Readonly<Record<string, number>>
  /** What puts it right; null where only another recording does. */
  readonly fix: SampleFix | null
}

/** What a version of a sample is like. */
export interface SampleReport {
  readonly durationMs: number
  readonly sampleRate: number
  readonly bytes: number
  readonly checks: readonly SampleCheck[]
  /** Least and most of the samples in each of up to 1,500 columns, -127 to 127, in turn. */
  readonly peaks: readonly number[]
  /** Where somebody speaks, in milliseconds. */
  readonly speech: readonly (readonly [startMs: number, endMs: number])[]
}

/** Where a sample came from. */
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

/** One state of a sample; the first is what was taken in, and stays. */
export interface SampleVersion {
  readonly id: string
  /** The wav file. */
  readonly mediaId: string
  /** The version it was made of; null for the first. */
  readonly parentId: string | null
  /** What was done to that one; null for the first. */
  readonly fix: SampleFix | null
  readonly durationMs: number
  /** Unix ms. */
  readonly createdAt: number
}

/** What a sample says, heard by transcription (service-notes 4) and corrected. */
export interface SampleText {
  readonly text: string
  /** `none`: not heard yet; `heard`, `edited`: whose words stand. */
  readonly state: 'none' | 'hearing' | 'heard' | 'edited' | 'failed'
  /** The version that was heard or that the words were written for; another one may say something else. */
  readonly versionId: string | null
  /** What transcription heard last; null when it was never asked. */
  readonly heard: string | null
  /** How well the words fit that, 0 to 1; null where it cannot be told: the engine of this computer knows English alone. */
  readonly fit: number | null
  /** Who heard it. */
  readonly model: string | null
  readonly notice: string | null
  readonly error: Failure | null
}

/** Who speaks, and that they agree; kept with the voice for good. */
export interface VoiceConsent {
  readonly who: string
  readonly whose: 'mine' | 'permission'
  readonly purpose: string
  /** Unix ms at which it was given. */
  readonly at: number
}

/**
 * One try to clone a voice (service-notes 3). `waiting`: not sent, goes on when the account can be reached; `asking`: whether the service
 * made it is looked up in its list; `unknown`: it was sent, and nobody knows what became of it.
 */
export type CloneState =
  | 'waiting'
  | 'uploading'
  | 'cloning'
  | 'asking'
  | 'done'
  | 'failed'
  | 'unknown'

/** A take: the voice that came of a version of the sample. */
export interface VoiceClone {
  readonly id: string
  readonly versionId: string
  readonly accountId: string
  readonly accountName: string
  readonly voiceName: string
  /** What the preview says. */
  readonly input: string
  /** What was sent as the words of the sample. */
  readonly text: string
  readonly state: CloneState
  /** Id of the voice at the service. */
  readonly voice: string | null
  /** The sound of the preview; null as long as there is none. */
  readonly previewId: string | null
  readonly previewKind: 'service' | 'spoken' | null
  /** What the service said beside its answer: that it cannot imitate a voice, for example. */
  readonly notice: string | null
  readonly error: Failure | null
  readonly createdAt: number
  readonly endedAt: number | null
}

/** A row of the list of samples. */
export interface SampleBrief {
  readonly id: string
  readonly title: string
  readonly durationMs: number
  /** `draft`: never cloned. */
  readonly state: 'draft' | 'working' | 'cloned' | 'failed'
  readonly createdAt: number
}

/** An own voice: its sample in all versions, what it says, who agreed, and what was cloned of it. An item of the Library. */
export interface VoiceSample extends SampleBrief {
  readonly deletedAt: number | null
  readonly source: SampleSource
  /** The language it is spoken in, as it was chosen. */
  readonly language: string
  /** Oldest first. */
  readonly versions: readonly SampleVersion[]
  /** The version that stands. */
  readonly versionId: string
  readonly report: SampleReport
  readonly text: SampleText
  readonly consent: VoiceConsent | null
  /** Newest first. */
  readonly clones: readonly VoiceClone[]
}
