import { z } from 'zod'
import { cleanKinds, type StorageKind } from '../model/storage.ts'
import type { ConnectionState } from '../model/connection.ts'
import type { UncleanEnd } from '../model/run-mark.ts'
import { route } from './contract.ts'
import type { Failure } from './reply.ts'

/** Data the renderer needs for its first frame. */
export interface AppInfo {
  readonly version: string
  /** `electron` or `loopback`. */
  readonly host: 'electron' | 'loopback'
  /** `darwin`, `win32`, `linux`: determines Cmd or Ctrl. */
  readonly platform: string
  /**
   * Whether files are saved with system dialogs, shown in the file manager and dragged out; otherwise the browser saves
   * them.
   */
  readonly fileHost: boolean
  /** Prefix of media URLs, ends with `/`. */
  readonly mediaBase: string
  readonly connection: ConnectionState
  /** State of the database at startup; shown once. */
  readonly storage: StorageNotice
  /** Previous run, if it ended unexpectedly and the user was not informed yet. */
  readonly lastRun: UncleanEnd | null
}

/** State of the database at startup. */
export type StorageNotice =
  | { readonly state: 'ok' }
  /** An erase started in an earlier run was completed at this startup. */
  | { readonly state: 'erased' }
  | { readonly state: 'restored'; readonly backupAt: number; readonly quarantine: string }
  | { readonly state: 'started-empty'; readonly quarantine: string }
  | { readonly state: 'from-future'; readonly version: number; readonly supported: number }
  | { readonly state: 'read-only'; readonly error: Failure }

/** Bytes by use, for the status bar and Settings. */
export interface StorageUse {
  /** Path of the data folder. Only for display and copying: no route accepts it. */
  readonly dataFolder: string
  readonly database: number
  readonly media: number
  readonly backups: number
  /** Free bytes on the disk of the data folder; null if the system does not report them. */
  readonly free: number | null
}

/** Routes of the app itself: information, storage, and erasing all data. */
export const app = {
  info: route<AppInfo>()(z.strictObject({})),
  storage: route<StorageUse>()(z.strictObject({})),
  /** Returns the bytes by kind, and what cleaning up each would free; takes a moment. */
  storageKinds: route<{ readonly kinds: readonly StorageKind[] }>()(z.strictObject({})),
  /** Cleans up one kind; saved data stays. */
  cleanUp: route<{ readonly kinds: readonly StorageKind[] }>()(
    z.strictObject({ kind: z.enum(cleanKinds) }),
  ),
  openExternal: route<{ readonly opened: boolean }>()(
    z.strictObject({ url: z.string().max(2048) }),
  ),
  /**
   * Shows a system notification to a user who is looking elsewhere; of several pages that report the same event, only the first
   * causes one. `shown` is false if the page has to show it.
   */
  notify: route<{ readonly shown: boolean }>()(
    z.strictObject({
      id: z.string().min(1).max(64),
      title: z.string().min(1).max(100),
      body: z.string().max(300),
      recordingId: z.string().min(1).max(64).nullable(),
      about: z.enum(['page', 'app']),
    }),
  ),
  eraseAll: route<Record<string, never>>()(
    z.strictObject({ confirm: z.literal('erase everything') }),
  ),
}
