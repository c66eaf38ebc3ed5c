import { z } from 'zod'
import { cleanKinds, type StorageKind } from '../model/storage.ts'
import type { ConnectionState } from '../model/connection.ts'
import type { UncleanEnd } from '../model/run-mark.ts'
import { route } from './contract.ts'
import type { Failure } from './reply.ts'

/** What the page needs to draw its first frame. */
export interface AppInfo {
  readonly version: string
  /** `electron` or `loopback`. */
  readonly host: 'electron' | 'loopback'
  /** `darwin`, `win32`, `linux`: decides Cmd or Ctrl. */
  readonly platform: string
  /** Files are saved by the system's dialogs, shown in its file manager and dragged out; else the browser saves. */
  readonly fileHost: boolean
  /** Prefix of media addresses, ends with `/`. */
  readonly mediaBase: string
  readonly connection: ConnectionState
  /** What happened to the database at start; shown once, in words. */
  readonly storage: StorageNotice
  /** The run before this one, where it ended without being closed and nobody was told. */
  readonly lastRun: UncleanEnd | null
}

/** How the database was found at start. */
export type StorageNotice =
  | { readonly state: 'ok' }
  /** An erase that an earlier run had begun was finished at this start. */
  | { readonly state: 'erased' }
  | { readonly state: 'restored'; readonly backupAt: number; readonly quarantine: string }
  | { readonly state: 'started-empty'; readonly quarantine: string }
  | { readonly state: 'from-future'; readonly version: number; readonly supported: number }
  | { readonly state: 'read-only'; readonly error: Failure }

/** Bytes by use, for the status bar and Settings. */
export interface StorageUse {
  /** Where everything lies, as the system names it. For showing and copying only: nothing takes it back. */
  readonly dataFolder: string
  readonly database: number
  readonly media: number
  readonly backups: number
  /** Free bytes on the disk that holds the data folder; null where the system does not tell. */
  readonly free: number | null
}

/** Routes of the app itself: what it is, what it keeps, how to leave it empty. */
export const app = {
  info: route<AppInfo>()(z.strictObject({})),
  storage: route<StorageUse>()(z.strictObject({})),
  /** Bytes by kind, with what a clean-up of each would free; takes a moment. */
  storageKinds: route<{ readonly kinds: readonly StorageKind[] }>()(z.strictObject({})),
  /** Cleans up one kind; what is kept stays. */
  cleanUp: route<{ readonly kinds: readonly StorageKind[] }>()(
    z.strictObject({ kind: z.enum(cleanKinds) }),
  ),
  openExternal: route<{ readonly opened: boolean }>()(
    z.strictObject({ url: z.string().max(2048) }),
  ),
  /** Tells the user who looks elsewhere, by a notice of the system. `shown` is false where the host has none. */
  notify: route<{ readonly shown: boolean }>()(
    z.strictObject({
      id: z.string().min(1).max(64),
      title: z.string().min(1).max(100),
      body: z.string().max(300),
      recordingId: z.string().min(1).max(64).nullable(),
    }),
  ),
  eraseAll: route<Record<string, never>>()(
    z.strictObject({ confirm: z.literal('erase everything') }),
  ),
}
