import { isDeviceName } from '../media/display-name.ts'

/** Archives are zip files to everybody else. */
export const isArchiveName = (path: string): boolean => path.toLowerCase().endsWith('.zip')

/** The format's name, as it stands in the manifest. */
export const archiveFormat = 'lectern.library'
/** Its version; what cannot be read by it gets a higher one. */
export const archiveVersion = 1

/** The last entry of every archive: what the others are. */
export const manifestName = 'manifest.json'
/** The first entry of every archive. */
export const databaseName = 'library.db'

/** Files that no honest archive holds. */
export const maxEntries = 500_000
/** Bytes of a manifest that is read at once. */
export const maxManifestBytes = 192 * 1024 * 1024
/** Bytes of a directory that is read at once. */
export const maxDirectoryBytes = 128 * 1024 * 1024

/** What kind of file an entry is, told by its path alone. */
export type EntryKind = 'database' | 'media' | 'meeting' | 'computer' | 'manifest'

const patterns: readonly (readonly [EntryKind, RegExp])[] = [
  ['database', /^library\.db$/],
  ['media', /^media\/[a-z2-7]{26}$/],
  [
    'meeting',
    /^meetings\/[A-Za-z0-9_-]{1,64}\/(session\.json|journal\.ndjson|peaks\.dat|part-\d{4,6}\.wav)$/,
  ],
  ['computer', /^this-computer\/(state\.db|(files|knowledge)\/file-[0-9a-f-]{36}\.(bin|json))$/],
  ['manifest', /^manifest\.json$/],
]

/** The kind of a path, or null for one that no archive of ours holds: anything that leads out of its folder is among those. */
export function kindOfPath(path: string): EntryKind | null {
  if (path.split('/').some(isDeviceName)) return null
  return patterns.find(([, pattern]) => pattern.test(path))?.[0] ?? null
}

/** An entry as the manifest tells it. */
export interface ManifestEntry {
  readonly path: string
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

/** What could not be packed, as its file is not there or is not what it was. */
export interface MissingFile {
  readonly path: string
  readonly why: 'gone' | 'damaged'
}

/** What an archive says of itself. */
export interface Manifest {
  readonly format: typeof archiveFormat
  readonly version: typeof archiveVersion
  readonly app: string
  /** Schema of the database. */
  readonly schema: number
  /** Unix milliseconds. */
  readonly at: number
  readonly scope: 'all' | 'selection'
  readonly entries: readonly ManifestEntry[]
  /** Rows by kind of thing; must agree with the database. */
  readonly counts: Readonly<Record<string, number>>
  readonly missing: readonly MissingFile[]
}
