import type { ParsedOf, ReplyOf, RouteName } from '../../../shared/bridge/routes.ts'
import type { Capture } from './parts.ts'

/** What the bridge asks of meetings, by the last part of the route's name. */
export type MeetingRoute =
  Extract<RouteName, `meetings.${string}`> extends `meetings.${infer N}` ? N : never

/** Every route of meetings as a method; errors are thrown as AppError. The signal ends what takes long: an export of sound. */
export type MeetingCalls = {
  [N in MeetingRoute]: (
    request: ParsedOf<`meetings.${N}`>,
    signal?: AbortSignal,
  ) => Promise<ReplyOf<`meetings.${N}`>>
}

/** Meetings, whole: recorded or read in, heard, changed, summed up, given out. */
export interface Meetings extends MeetingCalls {
  /** `PUT /capture/<id>` and the sound below the media address. */
  readonly audio: Pick<Capture, 'take' | 'respond' | 'bytes'>
  /** Asks the pages to end what they record; resolves once nothing is recorded any more. */
  stopRecording(): Promise<void>
  /** Repairs sessions, takes up imports, voice activity and hearing of earlier runs. */
  resume(): Promise<void>
  accountReady(accountId: string): void
  /** Stops the work on meetings that go to the bin or for good. */
  forget(ids: readonly string[]): Promise<void>
  /** They came back out of the bin: what was left undone goes on. */
  restored(ids: readonly string[]): void
  /** Deletes the sound of purged meetings. */
  purge(ids: readonly string[]): Promise<void>
  erase(): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}
