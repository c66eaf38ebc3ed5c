import type { Failure } from '../contract/reply.ts'

/** Current archive or backup job; only one at a time. */
export interface ArchiveJob {
  readonly id: string
  readonly what: 'export' | 'inspect' | 'import' | 'restore'
  readonly state: 'running' | 'done' | 'failed'
  readonly phase: 'preparing' | 'copying' | 'checking' | 'placing'
  /** Bytes, or files while they are copied; `total` is 0 while it is unknown. */
  readonly done: number
  readonly total: number
  /** Name of the archive, as shown and saved. */
  readonly file: string
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly error: Failure | null
  /** Of a finished export. */
  readonly written: ArchiveWritten | null
  /** Of an inspected archive that is ready to be imported. */
  readonly found: ArchiveFound | null
  /** Of an imported archive: the imported items, by kind. */
  readonly imported: ImportSummary | null
}

interface ArchiveWritten {
  readonly bytes: number
  readonly files: number
  /** Number of files missing or incomplete in the library; reported so that nothing is missing silently. */
  readonly missing: number
  /** Downloaded as `/media/<fetchId>`; null if it was written where the user chose. */
  readonly fetchId: string | null
  /** Shows it in its folder (`files.reveal`); null if the browser saved it. */
  readonly savedId: string | null
  /** Whether it was read back from the disk and matches what was packed. */
  readonly verified: boolean
}

export interface ItemName {
  readonly id: string
  readonly kind: string
  readonly title: string
  /** Unix milliseconds. */
  readonly at: number
}

/** Number of items, and the newest few of them. */
export interface NamedItems {
  readonly count: number
  readonly first: readonly ItemName[]
}

/** Comparison of an archive with the library for one kind of item. */
export interface KindComparison {
  readonly kind: string
  /** New items. */
  readonly added: number
  /** Existing items that were changed later in the archive; these replace the local ones. */
  readonly newer: number
  /** Existing items that are not older; these stay. */
  readonly known: number
}

interface ImportSummary {
  readonly kinds: readonly KindComparison[]
}

/** Content of an archive before the import. */
interface ArchiveFound {
  readonly app: string
  readonly scope: 'all' | 'selection'
  /** Unix milliseconds. */
  readonly at: number
  readonly files: number
  readonly bytes: number
  readonly missing: number
  readonly kinds: readonly KindComparison[]
  /** Items that do not exist here yet. */
  readonly added: NamedItems
  /** Items that replace existing ones. */
  readonly newer: NamedItems
  /** Number of other rows by name: `runs`, `tasks`, `messages`. */
  readonly counts: Readonly<Record<string, number>>
}

/** Backup of the database, without the files it refers to. */
export interface BackupSummary {
  /** Name, which contains the time of the backup. */
  readonly id: string
  /** Unix milliseconds. */
  readonly at: number
  readonly bytes: number
  /** Reason for the backup; `daily` for regular ones. */
  readonly reason: 'daily' | 'by-hand' | 'before-update' | 'before-import' | 'before-restore'
}

/** Comparison of a backup with the current library. */
export interface BackupInspection {
  readonly backup: BackupSummary
  readonly kinds: readonly {
    readonly kind: string
    readonly there: number
    readonly here: number
  }[]
  /** Items that a restore brings back. */
  readonly onlyThere: NamedItems
  /** Items that a restore removes. */
  readonly onlyHere: NamedItems
  readonly newest: readonly ItemName[]
}
