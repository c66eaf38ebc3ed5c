import type { Failure } from '../bridge/reply.ts'

/** Samples a second of everything that listens (voice activity, pieces for the service); sound on disk keeps its own rate. */
export const transcriptionRate = 16_000

/** Whole milliseconds of so many frames: the one rule by which every length is told, so that what was recorded, written and looked at can be compared. */
export const wholeMs = (frames: number, sampleRate: number): number =>
  Math.round((frames * 1000) / sampleRate)

/** Longest stretch that is sent in one piece, in milliseconds: the service takes 30 s, encoders add a little. */
export const maxSegmentMs = 29_500

/** A stretch of the meeting's timeline in whole milliseconds from its start; the end is not part of it. */
export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** What a channel of the sound carries: `mic` and `others` of a recording, `left` and `right` of a file with two voices, `mono` of any other. */
export type ChannelRole = 'mic' | 'others' | 'left' | 'right' | 'mono'

/** Where a meeting stands. `interrupted`: found unfinished at a start, repaired, and not yet looked at by the user. */
export type MeetingState =
  | 'recording'
  | 'paused'
  | 'interrupted'
  | 'importing'
  | 'import-failed'
  | 'stopped'

/** Somebody who speaks. Every channel begins with one of its own. */
export interface Speaker {
  readonly id: string
  /** Empty until it is named: then the page shows the channel's word ("Me", "Others"). */
  readonly name: string
  /** The channel it was made for; null for one the user added. */
  readonly channel: number | null
  /** Place in the list of colours and shapes, from 0. */
  readonly mark: number
}

/** A stretch without sound of its own: silence was written in its place, so that the timeline holds. */
export interface Gap extends Span {
  readonly id: string
  /** All channels when null. */
  readonly channel: number | null
  readonly reason: 'device' | 'suspended' | 'overload' | 'lost' | 'muted'
}

/** A moment somebody marked. */
export interface Bookmark {
  readonly id: string
  readonly atMs: number
  readonly label: string
}

/** What happened to the capture, at its place on the timeline; kept in the session's journal too. */
export type CaptureEvent =
  | { readonly type: 'paused' | 'resumed'; readonly atMs: number }
  | {
      readonly type: 'device'
      readonly atMs: number
      readonly channel: number
      readonly label: string
    }
  | {
      readonly type: 'silent' | 'zeros' | 'sound'
      readonly atMs: number
      /** A channel that carries nothing (`zeros`: exactly nothing), or carries sound again. */
      readonly channel: number
    }
  | {
      readonly type: 'gap'
      readonly atMs: number
      readonly endMs: number
      readonly channel: number | null
      readonly reason: Gap['reason']
    }

/** Why a text is not to be trusted blindly, or was not fed forward as context. */
export type Flag =
  | 'loop'
  | 'too-fast'
  | 'prompt-echo'
  | 'hotword-echo'
  | 'describes-silence'
  | 'seam'
  | 'seam-unsure'
  | 'echo'

/** `pending` waits for its turn or its next try; `silent`: the engine heard no words; `flagged`: there is a text, to be checked. */
export type SegmentState = 'pending' | 'inflight' | 'done' | 'silent' | 'failed' | 'flagged'

/** A stretch of one channel that is sent in one piece. */
export interface Segment extends Span {
  readonly id: string
  readonly channel: number
  readonly state: SegmentState
  /** No pause was found: the cut lies in speech, and the next segment begins a little before this one's end. */
  readonly forcedEnd: boolean
  readonly forcedStart: boolean
  /** Stretches with voice, for estimating when a word was said. */
  readonly voiced: readonly Span[]
  readonly flags: readonly Flag[]
  readonly attempts: number
  readonly error: Failure | null
  /** Unix ms; null when it does not wait for a time. */
  readonly nextTryAt: number | null
  /** The reading whose text stands in the transcript; null while there is none. */
  readonly versionId: string | null
  /** Another pass shall hear it, and has not answered yet; `error` and `nextTryAt` say how that goes. */
  readonly anotherPass?: true
}

/** One answer of an engine for one segment; all are kept. */
export interface SegmentVersion {
  readonly id: string
  readonly segmentId: string
  readonly text: string
  /** `proposed` by another pass, until the user accepts or declines it; `current` stands in the transcript; `older` stood there. */
  readonly state: 'current' | 'proposed' | 'declined' | 'older'
  readonly flags: readonly Flag[]
  readonly model: string
  readonly accountId: string
  readonly accountName: string
  readonly requestId: string | null
  readonly notice: string | null
  /** Unix ms. */
  readonly at: number
}

/** What is read: one line of the transcript. */
export interface Line extends Span {
  readonly id: string
  readonly segmentId: string | null
  readonly channel: number
  readonly speakerId: string
  readonly text: string
  /** The user changed its words. */
  readonly edited: boolean
  readonly flags: readonly Flag[]
  /** Which engine heard it. */
  readonly model: string
  readonly accountName: string
}

/** A change of the transcript by the user; each can be undone. */
export type MeetingEdit =
  | { readonly type: 'text'; readonly lineId: string; readonly text: string }
  | {
      readonly type: 'split'
      readonly lineId: string
      /** UTF-16 offset in the text, and the moment on the timeline. */
      readonly offset: number
      readonly atMs: number
    }
  | { readonly type: 'merge'; readonly lineIds: readonly string[] }
  | { readonly type: 'remove'; readonly lineIds: readonly string[] }
  | { readonly type: 'assign'; readonly lineIds: readonly string[]; readonly speakerId: string }
  | { readonly type: 'renameSpeaker'; readonly speakerId: string; readonly name: string }
  | { readonly type: 'addSpeaker'; readonly name: string; readonly lineIds: readonly string[] }
  | { readonly type: 'mergeSpeakers'; readonly speakerId: string; readonly intoId: string }

/** Numbers that prove what is there; all of one moment. */
export interface Completeness {
  /** What the microphones gave, by the count of the capture itself; null when it could not tell (a crash, an import). */
  readonly recordedMs: number | null
  readonly writtenMs: number
  /** How far voice activity has looked, the slowest channel. */
  readonly analysedMs: number
  /** Length of all segments, and of those with an answer (words, or the finding that there are none). */
  readonly segmentsMs: number
  readonly transcribedMs: number
  readonly segments: number
  readonly waiting: number
  readonly failed: number
  readonly flagged: number
  readonly gapsMs: number
}

/** What the list shows of a meeting beside its title. */
export interface MeetingBrief {
  readonly state: MeetingState
  readonly source: 'recording' | 'import'
  readonly durationMs: number
  /** 0 to 1 while a file is being read in. */
  readonly importProgress: number | null
  readonly completeness: Completeness
}

/** A summary of a meeting, made by an assistant or agent from its lines. */
export interface MeetingSummaryText {
  readonly id: string
  readonly templateId: string
  readonly templateName: string
  readonly state: 'running' | 'done' | 'failed'
  readonly points: readonly SummaryPoint[]
  /** Who made it, in its own words. */
  readonly engine: string
  readonly error: Failure | null
  readonly at: number
}

/** One point with the lines it rests on. */
export interface SummaryPoint {
  /** The template's heading it stands under. */
  readonly section: string
  readonly text: string
  readonly lineIds: readonly string[]
}

/** What a summary asks for; two are built in, others are the user's. */
export interface SummaryTemplate {
  readonly id: string
  readonly name: string
  readonly builtIn: boolean
  readonly sections: readonly { readonly title: string; readonly instruction: string }[]
}

/** A whole meeting without its lines. */
export interface Meeting extends MeetingBrief {
  /** The item's id. */
  readonly id: string
  readonly title: string
  /** Unix ms. */
  readonly startedAt: number
  readonly channels: readonly ChannelRole[]
  readonly sampleRate: number
  readonly speakers: readonly Speaker[]
  readonly bookmarks: readonly Bookmark[]
  readonly gaps: readonly Gap[]
  readonly notes: string
  /** The account that hears what is still to be heard. */
  readonly accountId: string
  readonly prompt: string
  readonly hotwords: readonly string[]
  readonly summaries: readonly MeetingSummaryText[]
  /** The file a meeting was imported from; null for a recording and when there is no sound. */
  readonly originalMediaId: string | null
  /** False for a transcript that was imported without its sound. */
  readonly hasAudio: boolean
  readonly error: Failure | null
  readonly canUndo: boolean
  readonly canRedo: boolean
}
