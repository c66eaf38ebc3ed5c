import type { Failure } from '../contract/reply.ts'
import type { LiteralOptions } from '../text/literal.ts'

/**
 * Sample rate of audio for analysis (voice activity, segments for the provider) in hertz; audio on disk has its own rate.
 */
export const transcriptionRate = 16_000

/**
 * Returns the whole milliseconds of a number of frames. All durations use this rule, so that recorded, written and analyzed
 * audio can be compared.
 */
export const wholeMs = (frames: number, sampleRate: number): number =>
  Math.round((frames * 1000) / sampleRate)

/** Maximum length of a segment in milliseconds: the provider accepts 30 s, and encoders add a little. */
export const maxSegmentMs = 29_500

/** A range of the meeting's timeline in whole milliseconds from its start; the end is exclusive. */
export interface Span {
  readonly startMs: number
  readonly endMs: number
}

/**
 * Role of an audio channel: `mic` and `others` of a recording, `left` and `right` of a file with two voices, `mono` of any
 * other.
 */
export type ChannelRole = 'mic' | 'others' | 'left' | 'right' | 'mono'

/** State of a meeting. `interrupted`: found unfinished at a start, repaired, and not yet seen by the user. */
export type MeetingState =
  | 'recording'
  | 'paused'
  | 'interrupted'
  | 'importing'
  | 'import-failed'
  | 'stopped'

/** A speaker. Every channel starts with one of its own. */
export interface Speaker {
  readonly id: string
  /** Empty until named: then the page shows the channel's label ("Me", "Others"). */
  readonly name: string
  /** The channel it was created for; null if added by the user. */
  readonly channel: number | null
  /** Index in the list of colors and shapes, from 0. */
  readonly mark: number
}

/** A range without audio: silence was written instead to keep the timeline aligned. */
export interface Gap extends Span {
  readonly id: string
  /** Null means all channels. */
  readonly channel: number | null
  readonly reason: 'device' | 'suspended' | 'overload' | 'lost' | 'muted'
}

/** A moment marked by the user. */
export interface Bookmark {
  readonly id: string
  readonly atMs: number
  readonly label: string
}

/** An event of the recording with its time on the timeline; also stored in the session's journal. */
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
      /** A channel became silent (`zeros`: exactly zero), or has audio again. */
      readonly channel: number
    }
  | {
      readonly type: 'gap'
      readonly atMs: number
      readonly endMs: number
      readonly channel: number | null
      readonly reason: Gap['reason']
    }

/** Why a text needs review, or was not used as context. */
export type Flag =
  | 'loop'
  | 'too-fast'
  | 'prompt-echo'
  | 'hotword-echo'
  | 'describes-silence'
  | 'seam'
  | 'seam-unsure'
  | 'echo'

/**
 * `pending`: queued or waiting for the next attempt; `silent`: the engine found no speech; `flagged`: the text needs review.
 */
export type SegmentState = 'pending' | 'inflight' | 'done' | 'silent' | 'failed' | 'flagged'

/** A range of one channel that is sent in one request. */
export interface Segment extends Span {
  readonly id: string
  readonly channel: number
  readonly state: SegmentState
  /**
   * Whether no pause was found: the cut is within speech, and the next segment begins shortly before the end of this one.
   */
  readonly forcedEnd: boolean
  readonly forcedStart: boolean
  /** Ranges with voice, for estimating the times of words. */
  readonly voiced: readonly Span[]
  readonly flags: readonly Flag[]
  readonly attempts: number
  readonly error: Failure | null
  /** Unix ms; null when no attempt is scheduled. */
  readonly nextTryAt: number | null
  /** The reading shown in the transcript; null while there is none. */
  readonly versionId: string | null
  /** Text received so far by an attempt that has not ended with a result; absent when there is none. */
  readonly partial?: string
  /** Set while another pass is requested and not yet done; `error` and `nextTryAt` are its status. */
  readonly anotherPass?: true
}

/** One transcription of a segment; all are kept. */
export interface SegmentVersion {
  readonly id: string
  readonly segmentId: string
  readonly text: string
  /**
   * `proposed` by another pass until the user accepts or declines it; `current` is shown in the transcript; `older` was shown
   * before.
   */
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

/** One line of the transcript. */
export interface Line extends Span {
  readonly id: string
  readonly segmentId: string | null
  readonly channel: number
  readonly speakerId: string
  readonly text: string
  /** Whether the user changed its text. */
  readonly edited: boolean
  readonly flags: readonly Flag[]
  /** The engine that transcribed it. */
  readonly model: string
  readonly accountName: string
}

/** A change of the transcript by the user; each can be undone. */
export type MeetingEdit =
  | { readonly type: 'text'; readonly lineId: string; readonly text: string }
  | {
      readonly type: 'split'
      readonly lineId: string
      /** UTF-16 offset in the text, and the time on the timeline. */
      readonly offset: number
      readonly atMs: number
    }
  | { readonly type: 'merge'; readonly lineIds: readonly string[] }
  | { readonly type: 'remove'; readonly lineIds: readonly string[] }
  | { readonly type: 'assign'; readonly lineIds: readonly string[]; readonly speakerId: string }
  | { readonly type: 'renameSpeaker'; readonly speakerId: string; readonly name: string }
  | { readonly type: 'addSpeaker'; readonly name: string; readonly lineIds: readonly string[] }
  | { readonly type: 'mergeSpeakers'; readonly speakerId: string; readonly intoId: string }
  | ({
      readonly type: 'replace'
      readonly query: string
      readonly replacement: string
    } & LiteralOptions)

/** Counts that document completeness, all of the same moment. */
export interface Completeness {
  /** Recorded length, as counted by the recorder itself; null when unknown (a crash, an import). */
  readonly recordedMs: number | null
  readonly writtenMs: number
  /** Progress of voice activity detection on the slowest channel. */
  readonly analysedMs: number
  /** Length of all segments, and of those with a result (text or no speech). */
  readonly segmentsMs: number
  readonly transcribedMs: number
  readonly segments: number
  readonly waiting: number
  readonly failed: number
  readonly flagged: number
  readonly gapsMs: number
}

/** List data of a meeting in addition to its title. */
export interface MeetingBrief {
  readonly state: MeetingState
  readonly source: 'recording' | 'import'
  readonly durationMs: number
  /** 0 to 1 while a file is being imported. */
  readonly importProgress: number | null
  readonly completeness: Completeness
}

/** A summary of a meeting, generated by an assistant or agent from its lines. */
export interface MeetingSummaryText {
  readonly id: string
  readonly templateId: string
  readonly templateName: string
  readonly state: 'running' | 'done' | 'failed'
  readonly points: readonly SummaryPoint[]
  /** Name of its engine. */
  readonly engine: string
  readonly error: Failure | null
  readonly at: number
}

/** One point with its source lines. */
export interface SummaryPoint {
  /** Its heading in the template. */
  readonly section: string
  readonly text: string
  readonly lineIds: readonly string[]
}

/** Structure of a summary; two are built in, others are the user's. */
export interface SummaryTemplate {
  readonly id: string
  readonly name: string
  readonly builtIn: boolean
  readonly sections: readonly { readonly title: string; readonly instruction: string }[]
}

/**
 * `none`: the user’s title, or nothing to suggest; `wanted`: suggested once the meeting is transcribed; `offered`: shown while
 * the meeting has its automatic title.
 */
export type TitleState = 'none' | 'wanted' | 'offered' | 'dismissed'

/** Titles suggested for a meeting that has an automatic one. */
export interface TitleSuggestion {
  /** Best first. */
  readonly titles: readonly string[]
  /** The model that wrote them; null for phrases quoted from the transcript. */
  readonly engine: string | null
}

/** A complete meeting without its lines. */
export interface Meeting extends MeetingBrief {
  /** ID of the item. */
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
  /** The account used for the remaining transcription. */
  readonly accountId: string
  readonly prompt: string
  readonly hotwords: readonly string[]
  readonly summaries: readonly MeetingSummaryText[]
  /** The file a meeting was imported from; null for a recording and when there is no audio. */
  readonly originalMediaId: string | null
  /** Name of that file. */
  readonly originalName: string | null
  /** Its size, and its type as detected from its content. */
  readonly originalBytes: number | null
  readonly originalMime: string | null
  /** False for a transcript that was imported without its audio. */
  readonly hasAudio: boolean
  /** Null when none is offered. */
  readonly titleSuggestion: TitleSuggestion | null
  readonly error: Failure | null
  readonly canUndo: boolean
  readonly canRedo: boolean
}
