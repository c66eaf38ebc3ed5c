import type { ActivityCall } from '../model/activity.ts'
import type { ConnectionState } from '../model/connection.ts'
import type { Job } from '../model/job.ts'
import type { StorageNotice } from './app.ts'
import type { Failure } from './reply.ts'

/** What a menu, shortcut or second launch asks the page to do. */
export type PageCommand =
  | 'palette'
  | 'settings'
  | 'import'
  | 'search'
  | 'toggle-inspector'
  | 'toggle-list'

/** What main tells every page without being asked. Main is trusted: events are typed, not parsed. */
export type AppEvent =
  | { readonly type: 'job.changed'; readonly job: Job }
  | { readonly type: 'library.changed'; readonly itemIds: readonly string[] }
  | { readonly type: 'activity.added'; readonly call: ActivityCall }
  | { readonly type: 'connection.changed'; readonly state: ConnectionState }
  | { readonly type: 'storage.changed'; readonly notice: StorageNotice }
  | { readonly type: 'settings.changed' }
  | { readonly type: 'accounts.changed' }
  | { readonly type: 'page.command'; readonly command: PageCommand }

/**
 * One message of a stream. `seq` counts from 0 without holes within a stream; deltas are batched about every 30 ms.
 * Exactly one terminal event (`end` or `error`) closes a stream; a cancelled stream ends in `error` with CANCELLED.
 */
export type StreamEvent =
  | {
      readonly streamId: string
      readonly seq: number
      readonly type: 'delta'
      readonly text: string
    }
  | { readonly streamId: string; readonly seq: number; readonly type: 'end'; readonly text: string }
  | {
      readonly streamId: string
      readonly seq: number
      readonly type: 'error'
      readonly error: Failure
    }

/** What re-attaching to a stream gives: the text so far, and the `seq` of the next event. */
export interface StreamSnapshot {
  readonly streamId: string
  readonly text: string
  readonly nextSeq: number
  /** Set when the stream is over. */
  readonly outcome?: { readonly type: 'end' } | { readonly type: 'error'; readonly error: Failure }
}
