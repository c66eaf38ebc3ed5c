import { join } from 'node:path'

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
