import { join } from 'node:path'
import { isDeviceName } from '../../../platform/files/display-name.ts'

/** Whether a path has the extension of an archive: for other programs, archives are ZIP files. */
export const isArchiveName = (path: string): boolean => path.toLowerCase().endsWith('.zip')

/** Name of the format in the manifest. */
export const archiveFormat = 'lectern.library'
/** Version of the format; it increases when older versions cannot read the archive. */
export const archiveVersion = 1

/** Last entry of every archive: the list of the others. */
export const manifestName = 'manifest.json'
/** First entry of every archive. */
export const databaseName = 'library.db'

/** Maximum number of entries; no valid archive has more. */
export const maxEntries = 500_000
/** Maximum number of bytes of a manifest, which is read at once. */
export const maxManifestBytes = 192 * 1024 * 1024
/** Maximum number of bytes of a directory, which is read at once. */
export const maxDirectoryBytes = 128 * 1024 * 1024

/** Type of an entry, determined by its path alone. */
type EntryKind = 'database' | 'media' | 'meeting' | 'computer' | 'manifest'

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

/** Returns the type of a path, or null for one that no Lectern archive contains, such as one that leads out of its folder. */
export function kindOfPath(path: string): EntryKind | null {
  if (path.split('/').some(isDeviceName)) return null
  return patterns.find(([, pattern]) => pattern.test(path))?.[0] ?? null
}

/** Entry as listed in the manifest. */
export interface ManifestEntry {
  readonly path: string
  readonly bytes: number
  /** Lower-case hex. */
  readonly sha256: string
}

/** File that could not be packed because it is missing or has changed. */
export interface MissingFile {
  readonly path: string
  readonly why: 'gone' | 'damaged'
}

/** Manifest of an archive. */
export interface Manifest {
  readonly format: typeof archiveFormat
  readonly version: typeof archiveVersion
  readonly app: string
  /** Schema version of the database. */
  readonly schema: number
  /** Unix milliseconds. */
  readonly at: number
  readonly scope: 'all' | 'selection'
  readonly entries: readonly ManifestEntry[]
  /** Number of rows by type; must match the database. */
  readonly counts: Readonly<Record<string, number>>
  readonly missing: readonly MissingFile[]
}

/** Folders and files for archives during export and import, below the data folder. */
export interface ArchivePlaces {
  /** Written archives, which are downloaded from here. */
  readonly out: string
  /** Received archive and its unpacked content. */
  readonly in: string
  readonly arrived: string
  readonly staged: string
  /** Lists the files that were placed before the library's database referenced them. */
  readonly journal: string
}

/** Returns the paths below `home`. */
export function archivePlaces(home: string): ArchivePlaces {
  const arriving = join(home, 'archive-in')
  return {
    out: join(home, 'archive-out'),
    in: arriving,
    arrived: join(arriving, 'arrived'),
    staged: join(arriving, 'staged'),
    journal: join(home, 'take-in.json'),
  }
}

/** Returns the path of a saved media file. */
export const mediaPlace = (home: string, id: string): string =>
  join(home, 'media', id.slice(0, 2), id)
