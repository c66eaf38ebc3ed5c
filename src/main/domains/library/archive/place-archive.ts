import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { moveFileSync, removal } from '../../../../system/file-moves.ts'
import { contentIdPattern } from '../../../platform/files/content-id.ts'
import { sessionIdPattern } from '../../../platform/audio/session-files.ts'
import { compareArchive } from './archive-compare.ts'
import {
  mergeArchive,
  hasImported,
  unknownItems,
  unknownMedia,
  type Mark,
  type MergeCounts,
} from './archive-merge.ts'
import { saveCopy } from '../../../library-database/backup-restore.ts'
import { AppError } from '../../../errors.ts'
import { databaseName, archivePlaces, mediaPlace } from './layout.ts'
import type { Progress } from '../../../platform/zip/progress.ts'
import { writeAll } from '../../../platform/zip/archive-stream.ts'

/** Input for placing an unpacked archive. The library's database is closed meanwhile. */
export interface Placing {
  readonly home: string
  readonly database: string
  readonly computer: string
  readonly staged: string
  /** Media that were compared and not unpacked. */
  readonly known: readonly string[]
  readonly mark: Mark
  /** Name under which the previous library is saved as a backup. */
  readonly keepAs: string
}

/** Files placed in the library before its database references them, so that a start after a crash can remove them. */
interface Journal {
  readonly id: string
  readonly computer: string
  readonly media: readonly string[]
  readonly meetings: readonly string[]
}

/**
 * Imports an unpacked archive: files first, which nothing references yet, then all rows in one transaction. If the process ends
 * in between, the next start finds the old library or the new one: {@link recoverImport}.
 */
export async function placeArchive(placing: Placing, progress: Progress): Promise<MergeCounts> {
  const { home, staged, mark, computer } = placing
  const places = archivePlaces(home)
  for (const id of placing.known)
    if (!existsSync(mediaPlace(home, id)))
      throw new AppError('FILE_MISSING', 'A file was removed in the meantime', { retriable: true })
  const media = namesIn(join(staged, 'media'), contentIdPattern).filter(
    (id) => !existsSync(mediaPlace(home, id)),
  )
  const meetings = namesIn(join(staged, 'meetings'), sessionIdPattern).filter(
    (id) => !existsSync(join(home, 'meetings', id)),
  )
  saveCopy(placing.database, placing.keepAs)
  progress.begin('placing', media.length + meetings.length + 1)
  await writeJournal(places.journal, { id: mark.id, computer, media, meetings })
  try {
    for (const id of media) {
      move(join(staged, 'media', id), mediaPlace(home, id))
      progress.add(1)
    }
    for (const id of meetings) {
      move(join(staged, 'meetings', id), join(home, 'meetings', id))
      progress.add(1)
    }
    const merged = join(staged, databaseName)
    const { kinds: counts } = compareArchive(placing.database, merged)
    mergeArchive(placing.database, merged, mark)
    recoverImport(home, placing.database)
    return counts
  } catch (error) {
    recoverImport(home, placing.database)
    throw error
  }
}

/**
 * Finishes an import after a crash: if the library reports that the archive is imported, completes the remaining steps; otherwise
 * removes the files that were placed for it. Returns true if there was anything to do. Call it while the database is closed.
 */
export function recoverImport(home: string, database: string): boolean {
  const places = archivePlaces(home)
  const journal = readJournal(places.journal)
  if (!journal) {
    rmSync(places.journal, removal)
    rmSync(places.in, removal)
    return false
  }
  if (hasImported(database, journal.id)) placeState(places.staged, journal.computer)
  else {
    for (const id of unknownMedia(database, journal.media)) rmSync(mediaPlace(home, id), removal)
    for (const id of unknownItems(database, journal.meetings))
      rmSync(join(home, 'meetings', id), removal)
  }
  rmSync(places.in, removal)
  // Last: until it is deleted, the next start repeats all of this.
  rmSync(places.journal, removal)
  return true
}

/** Moves the saved state of the archive's local service to a computer without one: two states cannot be merged. */
function placeState(staged: string, computer: string): void {
  const from = join(staged, 'this-computer')
  if (!existsSync(join(from, 'state.db')) || existsSync(join(computer, 'state.db'))) return
  for (const folder of ['files', 'knowledge'])
    for (const name of namesIn(join(from, folder), /^file-[0-9a-f-]{36}\.(bin|json)$/))
      move(join(from, folder, name), join(computer, folder, name))
  // Last: it activates the rest.
  move(join(from, 'state.db'), join(computer, 'state.db'))
}

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  moveFileSync(from, to)
}

function namesIn(folder: string, pattern: RegExp): readonly string[] {
  try {
    return readdirSync(folder).filter((name) => pattern.test(name))
  } catch {
    return []
  }
}

async function writeJournal(path: string, journal: Journal): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await writeAll(file, Buffer.from(JSON.stringify(journal)), 0)
    await file.sync()
  } finally {
    await file.close()
  }
  moveFileSync(`${path}.new`, path)
}

/** Returns null if there is no journal, or an incomplete one: then nothing was placed yet. */
function readJournal(path: string): Journal | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Journal
  } catch {
    return null
  }
}
