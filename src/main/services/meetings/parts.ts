import type { Media } from '../../../shared/model/library.ts'
import type {
  CaptureEvent,
  ChannelRole,
  Gap,
  Line,
  Segment,
  Span,
} from '../../../shared/model/meeting.ts'
import type { ParsedOf } from '../../../shared/bridge/routes.ts'
import type { JsonFile } from './exports/json-file.ts'

/** A session that an earlier run of Lectern left open, after it was repaired. */
export interface RecoveredSession {
  readonly id: string
  readonly title: string
  readonly roles: readonly ChannelRole[]
  readonly sampleRate: number
  /** Unix ms. */
  readonly startedAt: number
  readonly durationMs: number
  readonly gaps: readonly Omit<Gap, 'id'>[]
  /** Bytes behind the last whole frame that were cut off. */
  readonly lostBytes: number
}

/** What capturing tells, about once a second for each live session. */
export interface CaptureProgress {
  readonly id: string
  readonly writtenMs: number
  readonly levels: readonly {
    readonly peak: number
    readonly rms: number
    readonly zero: boolean
  }[]
  readonly freeBytes: number | null
  /** The disk's reserve was reached: the session is closed, and playable. */
  readonly full: boolean
}

/** Writes live sound, keeps it over every crash, gives it out again. Waits for nothing but the disk. */
export interface Capture {
  /** Throws DISK_FULL when less than the reserve is free. */
  begin(session: {
    readonly id: string
    readonly title: string
    readonly roles: readonly ChannelRole[]
    readonly sampleRate: number
    readonly labels: readonly string[]
    readonly startedAt: number
  }): Promise<void>
  /** Goes on with a session of a run that is over, behind the sound it has. Throws NOT_FOUND; REFUSED when a living process writes it. */
  reopen(id: string): Promise<void>
  /** Answers `PUT /capture/<id>`. */
  take(request: Request, id: string): Promise<Response>
  event(id: string, event: CaptureEvent): Promise<void>
  /** Closes the session; resolves with its length. Closing one that is closed already gives its length again. */
  stop(id: string): Promise<{ readonly writtenMs: number }>
  /** The gaps of a session as its own journal knows them: those that were told, and those its writer filled. */
  gaps(id: string): Promise<readonly Omit<Gap, 'id'>[]>
  isLive(id: string): boolean
  /**
   * Repairs what earlier runs left open, and tells of closed sessions that nobody lists: their row was never written, or lost with
   * the library. Idempotent; deletes nothing; leaves alone what a living process owns.
   */
  recover(isListed?: (id: string) => boolean): Promise<readonly RecoveredSession[]>
  /** Answers `meeting-<id>` (the whole sound as one wav file, Range and all) and `peaks-<id>` below the media address. */
  respond(request: Request, name: string): Promise<Response>
  /** Bytes of all sessions on disk. */
  bytes(): Promise<number>
  remove(ids: readonly string[]): Promise<void>
  erase(): Promise<void>
  /** Closes what is live, cleanly. */
  shutdown(): Promise<void>
}

/** Where a meeting's sound lies. */
export type FolderOf = (id: string) => string

/** Reads files in and cuts sound, beside the main thread. */
export interface AudioWork {
  /** Reads a file into a session, in steps; `onStep` gets the milliseconds done. Throws the reader's AppErrors; CANCELLED by the signal. */
  readIn(
    job: {
      readonly id: string
      readonly title: string
      readonly path: string
      readonly channels: 'auto' | 'split' | 'mix'
    },
    on: {
      opened(audio: {
        readonly roles: readonly ChannelRole[]
        readonly sampleRate: number
        readonly seconds: number | null
      }): void
      step(doneMs: number): void
    },
    signal: AbortSignal,
  ): Promise<{ readonly durationMs: number }>
  /** A stretch at 16 kHz as a wav file of one channel. */
  extractSegment(id: string, channel: number | 'mix', span: Span): Promise<Uint8Array>
  /** Writes sound into a file that did not exist. */
  writeAudio(
    request: {
      readonly id: string
      readonly to: string
      readonly format: 'wav' | 'mp3'
      readonly channel: number | 'both' | 'mix'
      readonly range: Span | null
    },
    signal: AbortSignal,
  ): Promise<void>
  close(): Promise<void>
}

/** Finds segments beside the main thread and puts them into the store. */
export interface VoiceWatch {
  /** There is new sound (`last`: and no more will come). Returns at once; looks run one after the other for each meeting. */
  nudge(id: string, how: { readonly live: boolean; readonly last: boolean }): void
  /** Resolves when nothing of this meeting is looked at. */
  settled(id: string): Promise<void>
  forget(id: string): Promise<void>
  close(): Promise<void>
}

/** What hearing tells. */
export interface TranscriptionEvents {
  /** Segments that changed, and the lines that came or went with them. */
  onTranscribed(
    id: string,
    change: {
      readonly segments: readonly Segment[]
      readonly lines: readonly Line[]
      readonly removed: readonly string[]
    },
  ): void
  onPartial(id: string, segmentId: string, text: string): void
  /** How many segments wait for the network, over all meetings. */
  onWaiting(count: number): void
}

/** Sends segments to their engine, a few at a time, durably, and turns answers into lines. */
export interface Transcription {
  /** There may be work for this meeting. */
  nudge(id: string): void
  /** Tries everything that failed or waits now. */
  fill(id: string): void
  /** Wants stretches heard anew, as proposals; resolves with how many. */
  again(
    id: string,
    which: ParsedOf<'meetings.again'>['which'],
    want: {
      readonly accountId: string
      readonly prompt: string
      readonly hotwords: readonly string[]
    },
  ): Promise<number>
  /** Takes readings into the transcript, with the lines made of them. */
  accept(
    id: string,
    versionIds: readonly string[],
  ): { readonly lines: readonly Line[]; readonly removed: readonly string[] }
  /** Names and terms to help the engine, learned from the user's corrections. */
  learn(id: string): Promise<readonly string[]>
  /** Takes up what an earlier run left. */
  resume(): void
  accountReady(accountId: string): void
  /** Stops what runs for these meetings. */
  forget(ids: readonly string[]): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}

/** Writes meetings into files that the page saves, and reads our own json back. */
export interface MeetingExports {
  text(request: ParsedOf<'meetings.export'>): Promise<Media>
  /** CANCELLED by the signal. */
  audio(request: ParsedOf<'meetings.exportAudio'>, signal?: AbortSignal): Promise<Media>
  /** Opens an exported json for reading it in. Throws by code for any other json. */
  openJson(mediaId: string): Promise<JsonFile>
  close(): Promise<void>
}

/** Sums meetings up by an assistant or agent. */
export interface Summaries {
  /** Makes a running summary and returns; `onSummary` of its deps tells each change. */
  start(request: ParsedOf<'meetings.summarise'>): Promise<void>
  /** Ends a summary that runs; resolves when nothing of it is under way any more. */
  stop(summaryId: string): Promise<void>
  /** Stops what runs for these meetings. */
  forget(ids: readonly string[]): Promise<void>
  /** What an earlier run left running has failed. */
  resume(): void
  busy(): boolean
  shutdown(): Promise<void>
}
