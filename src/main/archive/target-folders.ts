import { join } from 'node:path'

/** Where archives lie while they come and go, below the data folder. */
export interface ArchivePlaces {
  /** Archives that were written and are fetched from here. */
  readonly out: string
  /** An archive that arrived, and what is unpacked of it. */
  readonly in: string
  readonly arrived: string
  readonly staged: string
  /** Says which files were put in place before the library knew of them. */
  readonly journal: string
}

/** The places below `home`. */
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

/** Where a kept file lies. */
export const mediaPlace = (home: string, id: string): string =>
  join(home, 'media', id.slice(0, 2), id)
