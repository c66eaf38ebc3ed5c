import { constants, copyFile, link, mkdir, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { AvailableUpdate } from '../../shared/model/updates.ts'
import type { Clock, Log } from '../deps.ts'
import { AppError } from '../errors.ts'
import { moveFile, removal } from '../../system/file-moves.ts'
import type { HostUpdates } from '../host.ts'
import { sha512 } from './download.ts'
import { UpdateError } from './fault.ts'
import type { FeedPackage } from './feed.ts'
import type { LastUpdate, PackageFile, RecordsBook } from './records.ts'
import { reasonOf } from './transfer.ts'

const hour = 60 * 60 * 1000

/** A version that a signed feed offers, its package, and the mirrors to try in their order. */
export interface Found {
  readonly update: AvailableUpdate
  readonly file: FeedPackage
  readonly mirrors: readonly string[]
}

/** What installing needs. */
export interface InstallingDeps {
  /** The version that runs. */
  readonly version: string
  readonly platform: string
  readonly host: HostUpdates | undefined
  /** The folder of updates, where the package is. */
  readonly folder: string
  readonly book: RecordsBook
  /** Backs the library up and gives the backup's name; '' where the library is open for reading only. */
  backup(): Promise<string>
  /** Whether that backup is still there and could take the library's place. */
  isUsableBackup(name: string): Promise<boolean>
  readonly clock: Clock
  readonly log: Log
}

/** Putting a downloaded version in place, and going back, one after the other. All of them throw an {@link UpdateError}. */
export interface Installing {
  /** Backs up, installs and restarts; answers only when that failed. `isRecording` is asked once more before the restart. */
  now(found: Found, isRecording: () => boolean): Promise<void>
  /** Makes ready what is installed when Lectern quits; null takes it back. Preparing takes a while, so what is wanted is asked again afterwards. */
  onQuit(wanted: () => Found | null): Promise<void>
  /** Restarts into the version before the last update. */
  rollBack(isRecording: () => boolean): Promise<void>
  /** At a start: how the installation before it ended; what it left is put away. */
  settle(): Promise<'updated' | 'failed' | 'none'>
}

/** Builds it. What is begun is written down before anything is replaced, so that the next start can tell how it ended. */
export function createInstalling(deps: InstallingDeps): Installing {
  const { version, platform, folder, book, clock, log } = deps
  /** The earlier package of an update that is not in place yet; `previous` keeps the way back that there is until then. */
  const [savedPackage, savedNext] = [join(folder, 'previous'), join(folder, 'previous.next')]
  /** The version that is installed when Lectern quits. */
  let armed: string | null = null
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
  const host = (): HostUpdates => {
    if (!deps.host) throw new UpdateError('install-failed', 'This host installs nothing')
    return deps.host
  }

  async function prepare({ update, file }: Found, onQuit: boolean): Promise<void> {
    const backup = await backUp(update.version)
    const { sha512: sum, size, url: name } = file
    const path = join(folder, 'packages', name)
    await settled(
      host().prepare({ version: update.version, path, name, size, sha512: sum, isRollBack: false }),
    )
    const previous = await keepCurrent()
    const installed = { name, size, sha512: sum }
    const about = { from: version, to: update.version, at: clock(), backup, previous }
    book.change({ pending: { ...about, onQuit, file: installed } })
  }

  /** A backup for the same version is used again for an hour, so that trying again or changing the choice costs no further ones. */
  async function backUp(to: string): Promise<string> {
    const { backup: made } = book.now
    const isFresh = made?.version === to && Math.abs(clock() - made.at) < hour
    if (isFresh && (await deps.isUsableBackup(made.name))) return made.name
    const name = await deps.backup().catch((error: unknown) => {
      const why = error instanceof AppError ? error.code : reasonOf(error)
      throw new UpdateError('backup-failed', why, error)
    })
    if (name !== '') book.change({ backup: { version: to, name, at: clock() } })
    return name
  }

  async function disarm(): Promise<void> {
    if (armed === null) return
    armed = null
    await host().installOnQuit(false)
  }

  const assertQuiet = (isRecording: () => boolean): void => {
    if (isRecording()) throw new UpdateError('recording', 'A recording began')
  }

  /** Without it there is no way back by a button, which is no reason not to update. */
  async function keepCurrent(): Promise<LastUpdate['previous']> {
    try {
      const copy = await host().keepCurrent(savedNext)
      if (!copy) return await saveInstaller()
      const name = basename(copy.name)
      const path = join(savedNext, name)
      return { name, size: (await stat(path)).size, sha512: await sha512(path) }
    } catch (error) {
      log.warn('The present version could not be kept', { error: reasonOf(error) })
      return null
    }
  }

  /** The installer that this version came from, where it came by an update. */
  async function saveInstaller(): Promise<PackageFile | null> {
    const { current } = book.now
    if (current?.version !== version) return null
    await rm(savedNext, removal)
    await mkdir(savedNext, { recursive: true, mode: 0o700 })
    await linkOrCopy(join(folder, 'current', current.name), join(savedNext, current.name))
    return current
  }

  /** The update is in place: its way back takes the place of the one before. May be done twice. */
  async function saveNext({ previous }: LastUpdate): Promise<void> {
    const isThere = await stat(savedNext).then(
      () => true,
      () => false,
    )
    if (!isThere && previous !== null) return
    await rm(savedPackage, removal)
    if (previous !== null) await moveFile(savedNext, savedPackage)
  }

  /** After an update: the installer of the version that runs is the way back from the next one; an AppImage is that itself. */
  async function tidy(file: PackageFile): Promise<void> {
    const current = join(folder, 'current')
    await rm(current, removal)
    if (platform !== 'linux') {
      await mkdir(current, { recursive: true, mode: 0o700 })
      await moveFile(join(folder, 'packages', file.name), join(current, file.name))
        .then(() => book.change({ current: { ...file, version } }))
        .catch((error: unknown) => log.warn('No installer to keep', { error: reasonOf(error) }))
    }
    for (const each of ['packages', 'installer']) await rm(join(folder, each), removal)
  }

  return {
    now: (found, isRecording) =>
      inTurn(async () => {
        try {
          const { pending } = book.now
          if (pending && armed === found.update.version)
            book.change({ pending: { ...pending, onQuit: false } })
          else {
            // What is prepared takes the place of what was to be installed at the end.
            await disarm()
            await prepare(found, false)
          }
          assertQuiet(isRecording)
          await settled(host().restart())
          armed = null
        } catch (error) {
          await disarm()
          book.change({ pending: null })
          throw error
        }
      }),
    onQuit: (wanted) =>
      inTurn(async () => {
        const isAsExpected = (planned: string | null): boolean =>
          planned === (wanted()?.update.version ?? null)
        try {
          while (!isAsExpected(armed)) {
            await disarm()
            book.change({ pending: null })
            const found = wanted()
            if (!found) continue
            await prepare(found, true)
            if (!isAsExpected(found.update.version)) {
              book.change({ pending: null })
              continue
            }
            await host().installOnQuit(true)
            armed = found.update.version
          }
        } catch (error) {
          book.change({ pending: null })
          throw error
        }
      }),
    rollBack: (isRecording) =>
      inTurn(async () => {
        const before = book.now
        if (!before.last?.previous)
          throw new UpdateError('nothing-to-roll-back', 'The earlier package is not here')
        const { previous, backup, from, to } = before.last
        if (backup !== '' && !(await deps.isUsableBackup(backup)))
          throw new UpdateError('no-backup', `${backup} is missing or damaged`)
        await disarm()
        const { name, size, sha512: sum } = previous
        const path = join(savedPackage, name)
        await settled(
          host().prepare({ version: from, path, name, size, sha512: sum, isRollBack: true }),
        )
        try {
          assertQuiet(isRecording)
          const rollBack = { version: from, backup }
          book.change({ rollBack, leftVersion: to, last: null, pending: null })
          await settled(host().restart())
        } catch (error) {
          book.change({ ...before, pending: null })
          throw error
        }
      }),
    async settle() {
      // A host outlives the app: what an earlier run of it prepared is not known any more.
      await deps.host?.installOnQuit(false)
      const { pending } = book.now
      if (pending?.to === version) await saveNext(pending)
      const outcome = book.settle(version, clock())
      if (outcome === 'updated' && pending) await tidy(pending.file)
      await rm(savedNext, removal)
      if (!book.now.last) await rm(savedPackage, removal)
      return outcome
    },
  }
}

/** A second name of a file, or a copy where the disk has no such thing; what was there before goes. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  await rm(to, removal)
  await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE))
}

/** Throws what a host answered with. */
async function settled(outcome: ReturnType<HostUpdates['prepare']>): Promise<void> {
  const answer = await outcome
  if (!answer.ok) throw new UpdateError(answer.fault, answer.detail)
}
