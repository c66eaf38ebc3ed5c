import type { Media } from '../../../../shared/model/library.ts'
import type {
  CaptureEvent,
  ChannelRole,
  Gap,
  Line,
  Segment,
  Span,
} from '../../../../shared/model/meeting.ts'
import type { ParsedOf } from '../../../../shared/contract/routes.ts'
import type { JsonFile } from '../exports/json-file.ts'

/** A session that an earlier run of Lectern left open, after its repair. */
export interface RecoveredSession {
  readonly id: string
  readonly title: string
  readonly roles: readonly ChannelRole[]
  readonly sampleRate: number
  /** Unix ms. */
  readonly startedAt: number
  readonly durationMs: number
  readonly gaps: readonly Omit<Gap, 'id'>[]
  /** Bytes after the last whole frame that were cut off. */
  readonly lostBytes: number
}

/** Progress of a live session, reported about once a second. */
export interface CaptureProgress {
  readonly id: string
  readonly writtenMs: number
  readonly levels: readonly {
    readonly peak: number
    readonly rms: number
    readonly zero: boolean
  }[]
  readonly freeBytes: number | null
  /** Whether the disk reserve was reached: the session is closed, and playable. */
  readonly full: boolean
}

/** Writes live audio, preserves it across crashes, and serves it. Waits only for the disk. */
export interface Capture {
  /** Throws DISK_FULL if less than the reserve is free. */
  begin(session: {
    readonly id: string
    readonly title: string
    readonly roles: readonly ChannelRole[]
    readonly sampleRate: number
    readonly labels: readonly string[]
    readonly startedAt: number
  }): Promise<void>
  /** Continues a session of an earlier run after its existing audio. Throws NOT_FOUND; REFUSED if a running process writes it. */
  reopen(id: string): Promise<void>
  /** Handles `PUT /capture/<id>`. */
  take(request: Request, id: string): Promise<Response>
  event(id: string, event: CaptureEvent): Promise<void>
  /** Closes the session; resolves with its length. If it is already closed, returns its length again. */
  stop(id: string): Promise<{ readonly writtenMs: number }>
  /** The gaps of a session from its journal: those that were reported, and those its writer filled. */
  gaps(id: string): Promise<readonly Omit<Gap, 'id'>[]>
  isLive(id: string): boolean
  /**
   * Repairs sessions that earlier runs left open, and reports closed sessions without a row: it was never written, or lost with
   * the library. Idempotent; deletes nothing; skips sessions that a running process owns.
   */
  recover(isListed?: (id: string) => boolean): Promise<readonly RecoveredSession[]>
  /** Serves `meeting-<id>` (the whole audio as one wav file, with Range support) and `peaks-<id>` below the media address. */
  respond(request: Request, name: string): Promise<Response>
  /** Size of all sessions on disk in bytes. */
  bytes(): Promise<number>
  remove(ids: readonly string[]): Promise<void>
  erase(): Promise<void>
  /** Closes live sessions cleanly. */
  shutdown(): Promise<void>
}

/** Returns the folder of a meeting's audio. */
export type FolderOf = (id: string) => string

/** Imports files and cuts audio off the main thread. */
export interface AudioWork {
  /**
   * Imports a file into a session, in steps; `onStep` gets the milliseconds done. Throws the reader's AppErrors; CANCELLED by the
   * signal.
   */
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
  /** A range at 16 kHz as a wav file of one channel. */
  extractSegment(id: string, channel: number | 'mix', span: Span): Promise<Uint8Array>
  /** Writes audio to a new file. */
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

/** Finds segments off the main thread and puts them into the store. */
export interface VoiceWatch {
  /** Reports new audio (`last`: and no more will follow). Returns at once; runs are sequential for each meeting. */
  nudge(id: string, how: { readonly live: boolean; readonly last: boolean }): void
  /** Resolves when no run of this meeting is active. */
  settled(id: string): Promise<void>
  forget(id: string): Promise<void>
  close(): Promise<void>
}

/** Events of the transcription. */
export interface TranscriptionEvents {
  /** Called with segments that changed, and the lines that were added or removed with them. */
  onTranscribed(
    id: string,
    change: {
      readonly segments: readonly Segment[]
      readonly lines: readonly Line[]
      readonly removed: readonly string[]
    },
  ): void
  onPartial(id: string, segmentId: string, text: string): void
  /** Number of segments that wait for the network, over all meetings. */
  onWaiting(count: number): void
}

/** Sends segments to their engine, a few at a time, persistently, and converts responses to lines. */
export interface Transcription {
  /** Checks for work on this meeting. */
  nudge(id: string): void
  /** Retries everything that failed or waits. */
  fill(id: string): void
  /** Stops what waits or runs: first transcriptions until `fill`, other passes permanently. */
  stop(id: string): Promise<void>
  /** Requests another transcription of segments, as suggestions; resolves with their number. */
  again(
    id: string,
    which: ParsedOf<'meetings.again'>['which'],
    want: {
      readonly accountId: string
      readonly prompt: string
      readonly hotwords: readonly string[]
    },
  ): Promise<number>
  /** Accepts suggestions into the transcript, with the lines created from them. */
  accept(
    id: string,
    versionIds: readonly string[],
  ): { readonly lines: readonly Line[]; readonly removed: readonly string[] }
  /** Names and terms that help the engine, learned from the user's corrections. */
  learn(id: string): Promise<readonly string[]>
  /** Resumes what an earlier run left. */
  resume(): void
  accountReady(accountId: string): void
  /** Stops running work for these meetings. */
  forget(ids: readonly string[]): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}

/** Writes meetings to files that the page saves, and opens our own JSON files. */
export interface MeetingExports {
  text(request: ParsedOf<'meetings.export'>): Promise<Media>
  /** Throws CANCELLED when the signal aborts. */
  audio(request: ParsedOf<'meetings.exportAudio'>, signal?: AbortSignal): Promise<Media>
  /** Opens an exported JSON file for import. Throws an error code for any other JSON. */
  openJson(mediaId: string): Promise<JsonFile>
  close(): Promise<void>
}

/** Summarizes meetings with an assistant or agent. */
export interface Summaries {
  /** Creates a running summary and returns; `onSummary` of its deps reports each change. */
  start(request: ParsedOf<'meetings.summarise'>): Promise<void>
  /** Stops a running summary; resolves when no request of it is active. */
  stop(summaryId: string): Promise<void>
  /** Stops running work for these meetings. */
  forget(ids: readonly string[]): Promise<void>
  /** Marks summaries that an earlier run left running as failed. */
  resume(): void
  busy(): boolean
  shutdown(): Promise<void>
}
