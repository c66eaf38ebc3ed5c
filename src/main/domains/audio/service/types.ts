import type { ParsedOf, ReplyOf, RouteName } from '../../../../shared/contract/routes.ts'
import type { Capture } from './parts.ts'

/** Routes of meetings on the bridge, by the last part of their name. */
export type MeetingRoute =
  Extract<RouteName, `meetings.${string}`> extends `meetings.${infer N}` ? N : never

/**
 * Every route of meetings as a method; errors are thrown as AppError. The signal cancels long operations such as an audio export.
 */
export type MeetingCalls = {
  [N in MeetingRoute]: (
    request: ParsedOf<`meetings.${N}`>,
    signal?: AbortSignal,
  ) => Promise<ReplyOf<`meetings.${N}`>>
}

/** Meetings as a whole: recording, import, transcription, editing, summaries, export. */
export interface Meetings extends MeetingCalls {
  /** `PUT /capture/<id>` and the audio below the media address. */
  readonly audio: Pick<Capture, 'take' | 'respond' | 'bytes'>
  /** Requests the pages to stop recording; resolves once no recording is running. */
  stopRecording(): Promise<void>
  /** Repairs sessions; resumes imports, voice activity detection and transcription of earlier runs. */
  resume(): Promise<void>
  accountReady(accountId: string): void
  /** Stops the work on meetings that are moved to Trash or deleted permanently. */
  forget(ids: readonly string[]): Promise<void>
  /** Called when meetings were restored from Trash: unfinished work resumes. */
  restored(ids: readonly string[]): void
  /** Deletes the audio of purged meetings. */
  purge(ids: readonly string[]): Promise<void>
  erase(): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}
