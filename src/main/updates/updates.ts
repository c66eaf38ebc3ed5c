import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { UpdateFeed, UpdateFeedConfig } from '../../shared/contract/update-feed.ts'
import type {
  AvailableUpdate,
  UpdateStage,
  UpdateState,
  UpdateSupport,
} from '../../shared/model/updates.ts'
import { AppError } from '../errors.ts'
import { removal } from '../../system/file-moves.ts'
import { downloadLimits, downloadPackage, isPackage, type DownloadLimits } from './download.ts'
import { isDiskFull, UpdateError } from './fault.ts'
import { feedName, offeredPackage, type FeedPackage } from './feed.ts'
import { createInstalling, type Found, type InstallingDeps } from './installing.ts'
import { findFeed } from './mirrors.ts'
import { createRecordsBook, updatesFolder, type UpdateRecords } from './records.ts'
import { reasonOf, type MirrorGet } from './transfer.ts'

const day = 24 * 60 * 60 * 1000
/** Milliseconds from a start to the first check, so that it does not slow the start. */
const firstCheckMs = 30_000

export interface UpdatesDeps extends Omit<InstallingDeps, 'folder' | 'book'> {
  readonly home: string
  readonly platform: string
  readonly arch: string
  /** `os.release()`. */
  readonly systemVersion: string
  /** Feed configuration of this build. */
  feed(): UpdateFeedConfig
  readonly get: MirrorGet
  /** Current user settings, read each time. */
  settings(): { readonly updateChecks: boolean; readonly updateOnQuit: boolean }
  after(ms: number, work: () => void): () => void
  random(): number
  onChange(state: UpdateState): void
  readonly limits?: DownloadLimits & { readonly feedMs: number; readonly graceMs: number }
}

/** Updates for the bridge and the app. */
export interface Updates {
  state(): UpdateState
  /** Checks the mirrors; `byUser` also reports that they could not be reached. */
  check(byUser: boolean): Promise<void>
  download(): Promise<void>
  cancel(): void
  install(): Promise<void>
  rollBack(): Promise<void>
  /** Reports that a recording began or ended: nothing is checked, downloaded or restarted meanwhile. */
  recording(live: boolean): void
  settingsChanged(): void
  start(): Promise<void>
  stop(): void
}

/** Creates updates: a state machine over the mirrors, the package on this disk, and the host that installs it. */
export function createUpdates(deps: UpdatesDeps): Updates {
  const { home, version, clock, log } = deps
  const limits = deps.limits ?? { ...downloadLimits, feedMs: 15_000, graceMs: 1500 }
  const folder = updatesFolder(home)
  const packages = join(folder, 'packages')
  const book = createRecordsBook(home, deps.random)
  let support: UpdateSupport = { mode: 'none', why: 'browser' }
  let stage: UpdateStage = 'idle'
  let found: Found | null = null
  let progress: UpdateState['progress'] = null
  let failure: UpdateState['failure'] = null
  let live = false
  /** Work that waits for the end of a recording. */
  let whenQuiet: 'check' | 'download' | null = null
  let work: AbortController | null = null
  let unplan = (): void => {}

  const state = (): UpdateState => ({
    stage: stage === 'idle' && !deps.settings().updateChecks ? 'off' : stage,
    support,
    version,
    checkedAt: book.now.checkedAt || null,
    update: found?.update ?? null,
    progress,
    failure,
    recording: live,
    rollBack: book.now.last && {
      version: book.now.last.from,
      updatedAt: book.now.last.at,
      hasPackage: book.now.last.previous !== null,
    },
    downloadPage: deps.feed().downloadPage,
  })
  const notify = (): void => deps.onChange(state())
  const become = (next: UpdateStage): void => {
    stage = next
    if (next !== 'failed') failure = null
    if (next !== 'downloading') progress = null
    notify()
  }
  const fail = (step: NonNullable<UpdateState['failure']>['step'], error: unknown): void => {
    const { fault, message } =
      error instanceof UpdateError
        ? error
        : new UpdateError(isDiskFull(error) ? 'disk-full' : 'install-failed', reasonOf(error))
    log.warn('An update failed', { step, fault, message })
    failure = { step, fault, detail: message, at: clock() }
    become('failed')
  }
  const isBusy = (): boolean => ['checking', 'downloading', 'installing'].includes(stage)
  const mayCheck = (): boolean => support.mode !== 'none' && deps.settings().updateChecks
  const isLive = (): boolean => live
  const assertQuiet = (): void => {
    if (live)
      throw new AppError('WORK_UNDER_WAY', 'A recording is in progress', { retriable: true })
  }
  const installing = createInstalling({
    version,
    platform: deps.platform,
    host: deps.host,
    folder,
    book,
    backup: deps.backup,
    isUsableBackup: deps.isUsableBackup,
    clock,
    log,
  })

  async function check(byUser: boolean): Promise<void> {
    if (isBusy() || !mayCheck()) return
    if (live) {
      whenQuiet = 'check'
      return
    }
    const before = stage
    work = new AbortController()
    become('checking')
    try {
      const { mirrors, publicKeys } = deps.feed()
      const answer = await findFeed({
        mirrors,
        publicKeys,
        name: feedName(deps.platform, deps.arch),
        seenIssue: book.now.seenIssue,
        get: deps.get,
        clock,
        signal: work.signal,
        timeoutMs: limits.feedMs,
        graceMs: limits.graceMs,
      })
      log.info('Mirrors responded', { version: answer.feed.version, reach: answer.reach })
      book.change({ seenIssue: answer.feed.issuedAt, checkedAt: clock() })
      const { systemVersion, platform, arch } = deps
      const installation = { version, platform, arch, systemVersion, ...book.now }
      const file = offeredPackage(answer.feed, installation)
      found = file && {
        update: updateOf(answer.feed, file, book.now),
        file,
        mirrors: answer.mirrors,
      }
      if (!found) return become('idle')
      await retainOnly(packages, found.file.url)
      const isThere =
        support.mode === 'restart' && (await isPackage(join(packages, found.file.url), found.file))
      become(isThere ? 'ready' : 'available')
    } catch (error) {
      if (work.signal.aborted) return become(before === 'failed' ? 'idle' : before)
      const isOffline = error instanceof UpdateError && error.fault === 'offline'
      // An automatic check: a missing network is not reported.
      if (!byUser && (isOffline || found)) return become(before === 'failed' ? 'idle' : before)
      fail('check', error)
    } finally {
      work = null
      plan(day)
      if (stage !== 'failed') await arm()
    }
  }

  async function download(): Promise<void> {
    if (isBusy() || !found || support.mode !== 'restart' || stage === 'ready') return
    assertQuiet()
    const from = found
    const begun = (work = new AbortController())
    become('downloading')
    try {
      await mkdir(packages, { recursive: true, mode: 0o700 })
      await downloadPackage({
        mirrors: from.mirrors,
        file: from.file,
        target: join(packages, from.file.url),
        get: deps.get,
        clock,
        signal: begun.signal,
        limits,
        onProgress(now) {
          if (begun.signal.aborted) return
          progress = { ...now, total: from.file.size }
          notify()
        },
        note: (message, fields) => log.info(message, fields),
      })
      become('ready')
      await arm()
    } catch (error) {
      if (begun.signal.aborted) become('available')
      else fail('download', error)
    } finally {
      work = null
    }
  }

  async function install(): Promise<void> {
    const isRetry = stage === 'failed' && failure?.step === 'install'
    if (!found || (stage !== 'ready' && !isRetry)) return
    assertQuiet()
    become('installing')
    await installing.now(found, isLive).catch((error: unknown) => fail('install', error))
  }

  /** Prepares the installation at quit if the user chose it; otherwise cancels it. */
  async function arm(): Promise<void> {
    const wanted = (): Found | null =>
      stage === 'ready' && deps.settings().updateOnQuit ? found : null
    await installing.onQuit(wanted).catch((error: unknown) => fail('install', error))
  }

  async function rollBack(): Promise<void> {
    if (isBusy()) return
    assertQuiet()
    become('installing')
    await installing.rollBack(isLive).catch((error: unknown) => fail('roll-back', error))
  }

  function plan(ms: number): void {
    unplan()
    unplan = deps.after(ms, () => void check(false))
  }

  return {
    state,
    check,
    download,
    cancel: () => work?.abort(),
    install,
    rollBack,
    recording(now) {
      live = now
      if (now && stage === 'downloading') whenQuiet = 'download'
      if (now && stage === 'checking') whenQuiet = 'check'
      if (now) work?.abort()
      notify()
      if (now || !whenQuiet) return
      const due = whenQuiet
      whenQuiet = null
      void (due === 'check' ? check(false) : download())
    },
    settingsChanged() {
      if (!mayCheck()) work?.abort()
      void arm()
      notify()
    },
    async start() {
      support = await supportOf(deps).catch((error: unknown) => {
        log.warn('The update method of the host could not be determined', {
          error: reasonOf(error),
        })
        return { mode: 'none', why: 'development' }
      })
      // If records cannot be written, a rollback is impossible, but the app still starts.
      const outcome = await installing.settle().catch((error: unknown) => {
        log.error('The result of the last update could not be determined', {
          error: reasonOf(error),
        })
        return 'none'
      })
      if (outcome === 'failed')
        fail('install', new UpdateError('install-failed', 'The old version was started'))
      notify()
      if (support.mode !== 'none') plan(firstCheckMs)
    },
    stop() {
      unplan()
      work?.abort()
    },
  }
}

async function supportOf({ host, feed }: UpdatesDeps): Promise<UpdateSupport> {
  if (!host) return { mode: 'none', why: 'browser' }
  const support = await host.support()
  if (support.mode === 'none') return support
  const { mirrors, publicKeys } = feed()
  const isNamed = mirrors.length > 0 && publicKeys.length > 0
  return isNamed ? support : { mode: 'none', why: 'no-feed' }
}

function updateOf(
  feed: UpdateFeed,
  file: FeedPackage,
  { leftVersion }: UpdateRecords,
): AvailableUpdate {
  return {
    version: feed.version,
    releasedAt: feed.releaseDate,
    size: file.size,
    notes: { en: feed.releaseNotes, zh: feed.releaseNotesZh },
    quiet: feed.version === leftVersion,
  }
}

/** Deletes packages and partial downloads of other versions. */
async function retainOnly(packages: string, name: string): Promise<void> {
  for (const each of await readdir(packages).catch(() => []))
    if (each !== name && each !== `${name}.part`) await rm(join(packages, each), removal)
}
