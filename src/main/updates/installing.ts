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

/** Version that a signed feed offers, its package, and the mirrors in the order to try. */
export interface Found {
  readonly update: AvailableUpdate
  readonly file: FeedPackage
  readonly mirrors: readonly string[]
}

export interface InstallingDeps {
  /** Running version. */
  readonly version: string
  readonly platform: string
  readonly host: HostUpdates | undefined
  /** Folder of updates, which contains the package. */
  readonly folder: string
  readonly book: RecordsBook
  /** Backs up the library and returns the name of the backup; '' if the library is read-only. */
  backup(): Promise<string>
  /** Whether that backup still exists and could replace the library. */
  isUsableBackup(name: string): Promise<boolean>
  readonly clock: Clock
  readonly log: Log
}

/** Installs a downloaded version and rolls back, one after the other. All methods throw an {@link UpdateError}. */
interface Installing {
  /** Backs up, installs and restarts; returns only if that failed. `isRecording` is checked again before the restart. */
  now(found: Found, isRecording: () => boolean): Promise<void>
  /**
   * Prepares the installation when Lectern quits; null cancels it. Preparing takes a while, so `wanted` is checked again
   * afterward.
   */
  onQuit(wanted: () => Found | null): Promise<void>
  /** Restarts into the version before the last update. */
  rollBack(isRecording: () => boolean): Promise<void>
  /** At a start: determines how the previous installation ended, and cleans up after it. */
  settle(): Promise<'updated' | 'failed' | 'none'>
}

/** Creates the installation steps. Each is recorded before anything is replaced, so that the next start can tell how it ended. */
export function createInstalling(deps: InstallingDeps): Installing {
  const { version, platform, folder, book, clock, log } = deps
  /**
   * Earlier package of an update that is not installed yet; until then `previous` still contains the current rollback package.
   */
  const [savedPackage, savedNext] = [join(folder, 'previous'), join(folder, 'previous.next')]
  /** Version that is installed when Lectern quits. */
  let armed: string | null = null
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work)
    last = done.catch(() => {})
    return done
  }
  const host = (): HostUpdates => {
    if (!deps.host) throw new UpdateError('install-failed', 'This host cannot install updates')
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

  /** Reuses a backup for the same version for an hour, so that a retry or a changed choice creates no more. */
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
    if (isRecording()) throw new UpdateError('recording', 'A recording was started')
  }

  /** Saves the current package. Without it a rollback is not offered, which is no reason to skip the update. */
  async function keepCurrent(): Promise<LastUpdate['previous']> {
    try {
      const copy = await host().keepCurrent(savedNext)
      if (!copy) return await saveInstaller()
      const name = basename(copy.name)
      const path = join(savedNext, name)
      return { name, size: (await stat(path)).size, sha512: await sha512(path) }
    } catch (error) {
      log.warn('The current version could not be saved', { error: reasonOf(error) })
      return null
    }
  }

  /** Saves the installer of this version, if it was installed by an update. */
  async function saveInstaller(): Promise<PackageFile | null> {
    const { current } = book.now
    if (current?.version !== version) return null
    await rm(savedNext, removal)
    await mkdir(savedNext, { recursive: true, mode: 0o700 })
    await linkOrCopy(join(folder, 'current', current.name), join(savedNext, current.name))
    return current
  }

  /** Completes an update: its rollback package replaces the previous one. May run twice. */
  async function saveNext({ previous }: LastUpdate): Promise<void> {
    const isThere = await stat(savedNext).then(
      () => true,
      () => false,
    )
    if (!isThere && previous !== null) return
    await rm(savedPackage, removal)
    if (previous !== null) await moveFile(savedNext, savedPackage)
  }

  /** After an update: keeps the installer of the running version for the next rollback; an AppImage is its own installer. */
  async function tidy(file: PackageFile): Promise<void> {
    const current = join(folder, 'current')
    await rm(current, removal)
    if (platform !== 'linux') {
      await mkdir(current, { recursive: true, mode: 0o700 })
      await moveFile(join(folder, 'packages', file.name), join(current, file.name))
        .then(() => book.change({ current: { ...file, version } }))
        .catch((error: unknown) =>
          log.warn('The installer could not be saved', { error: reasonOf(error) }),
        )
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
            // The prepared version replaces the one to be installed at quit.
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
          throw new UpdateError('nothing-to-roll-back', 'The earlier package is missing')
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
      // A host outlives the app: the state prepared by an earlier run is unknown.
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

/** Links a file under a second name, or copies it if the disk has no links; replaces an existing file. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  await rm(to, removal)
  await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE))
}

/** Throws the error of a host's outcome. */
async function settled(outcome: ReturnType<HostUpdates['prepare']>): Promise<void> {
  const answer = await outcome
  if (!answer.ok) throw new UpdateError(answer.fault, answer.detail)
}
