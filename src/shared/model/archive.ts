import type { Failure } from '../bridge/reply.ts'

/** What is done with an archive or a backup just now; one thing at a time. */
export interface ArchiveJob {
  readonly id: string
  readonly what: 'export' | 'look' | 'take-in' | 'restore'
  readonly state: 'running' | 'done' | 'failed'
  readonly phase: 'preparing' | 'copying' | 'checking' | 'placing'
  /** Bytes, or files while they are placed; `total` is 0 while nobody knows. */
  readonly done: number
  readonly total: number
  /** The archive's name, as it is shown and saved. */
  readonly file: string
  /** Unix milliseconds. */
  readonly startedAt: number
  readonly error: Failure | null
  /** Of an export that is done. */
  readonly written: ArchiveWritten | null
  /** Of an archive that was looked into: it waits to be taken in. */
  readonly found: ArchiveFound | null
  /** Of an archive that was taken in: what came, by kind. */
  readonly taken: ImportSummary | null
}

/** An archive that was written. */
export interface ArchiveWritten {
  readonly bytes: number
  readonly files: number
  /** What the library holds no whole file of; named so that nothing is silently missing. */
  readonly missing: number
  /** Fetched as `/media/<fetchId>`; null where the system's own dialog chose the place. */
  readonly fetchId: string | null
  /** Shows it in its folder (`files.reveal`); null where the browser saved it. */
  readonly savedId: string | null
  /** Read again from the disk and found to be what was packed. */
  readonly verified: boolean
}

/** A thing as a preview names it. */
export interface ItemName {
  readonly id: string
  readonly kind: string
  readonly title: string
  /** Unix milliseconds. */
  readonly at: number
}

/** How many things, and the newest few of them. */
export interface NamedItems {
  readonly count: number
  readonly first: readonly ItemName[]
}

/** Things of one kind in an archive, beside what is here. */
export interface KindComparison {
  readonly kind: string
  /** Not here yet. */
  readonly added: number
  /** Here, but changed later in the archive: these replace what is here. */
  readonly newer: number
  /** Here, and no older: these stay. */
  readonly known: number
}

/** What came of taking an archive in. */
export interface ImportSummary {
  readonly kinds: readonly KindComparison[]
}

/** What an archive holds, before anything of it is taken. */
export interface ArchiveFound {
  readonly app: string
  readonly scope: 'all' | 'selection'
  /** Unix milliseconds. */
  readonly at: number
  readonly files: number
  readonly bytes: number
  readonly missing: number
  readonly kinds: readonly KindComparison[]
  /** What is not here yet. */
  readonly added: NamedItems
  /** What replaces something here. */
  readonly newer: NamedItems
  /** Rows of other things by name: `runs`, `tasks`, `messages`. */
  readonly counts: Readonly<Record<string, number>>
}

/** A backup of the database: what was written, not the files it names. */
export interface BackupSummary {
  /** Its name, which tells when it was made. */
  readonly id: string
  /** Unix milliseconds. */
  readonly at: number
  readonly bytes: number
  /** What it is the way back from; `daily` for the usual ones. */
  readonly reason: 'daily' | 'by-hand' | 'before-update' | 'before-import' | 'before-restore'
}

/** What a backup holds beside what is here now. */
export interface BackupInspection {
  readonly backup: BackupSummary
  readonly kinds: readonly {
    readonly kind: string
    readonly there: number
    readonly here: number
  }[]
  /** What a restore brings back. */
  readonly onlyThere: NamedItems
  /** What a restore takes away. */
  readonly onlyHere: NamedItems
  readonly newest: readonly ItemName[]
}
