import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import { runWorks, type RunWork, type UncleanEnd } from '../../../shared/model/run-mark.ts'
import type { Clock, Log } from '../../deps.ts'
import { moveFileSync, removal } from '../../../system/file-moves.ts'

const pathOf = (home: string): string => join(home, 'running.json')

interface RunMark extends UncleanEnd {
  readonly version: string
}

/**
 * Removes the mark of an orderly end, or once an unclean end was reported, so that the next start does not report it.
 */
export function removeRunMark(home: string): void {
  try {
    rmSync(pathOf(home), removal)
  } catch {
    // The next start reports a run that was closed; nothing is lost.
  }
}

/** The file that records that Lectern is running, since when, and its background work. */
interface RunWatch {
  /** The previous run, if it was not closed properly. */
  readonly lastRun: UncleanEnd | null
  /** Records that this run has started. */
  start(): void
  /** Must be called first when the run ends: the system may leave no time for more. */
  end(): void
}

/** Milliseconds between two checks of the running work, and between two updates of the file while nothing changes. */
const checkMs = 5_000
const signMs = 60_000

/**
 * Reads the file of the previous run. It is not an unclean end if the computer restarted since or the version differs.
 */
export function createRunWatch(parts: {
  readonly home: string
  readonly version: string
  readonly clock: Clock
  readonly log: Log
  /** Returns the work currently running. */
  underWay(): readonly RunWork[]
  /** Returns the milliseconds since the computer started; defaults to the system's uptime. */
  readonly uptimeMs?: () => number
}): RunWatch {
  const { home, version, clock, log, underWay, uptimeMs = () => uptime() * 1000 } = parts
  const path = pathOf(home)
  let mark: RunMark | null = null
  let timer: NodeJS.Timeout | null = null

  const lastRun = unclean(read(path), version, clock() - uptimeMs())
  if (lastRun) {
    const { startedAt, seenAt, work } = lastRun
    const [started, seen] = [startedAt, seenAt].map((at) => new Date(at).toISOString())
    log.warn('the previous run did not exit cleanly', { started, seen, work })
  }

  /** Returns the running work; the previous value while the library cannot report it because it is being replaced. */
  const now = (before: readonly RunWork[]): readonly RunWork[] => {
    try {
      return underWay()
    } catch {
      return before
    }
  }
  const write = (next: RunMark): void => {
    try {
      writeFileSync(`${path}.new`, JSON.stringify(next), { mode: 0o600 })
      moveFileSync(`${path}.new`, path)
      mark = next
    } catch (error) {
      log.info('failed to write the run marker', { error })
    }
  }
  const check = (): void => {
    // The file was removed: the unclean end was reported, or everything was erased.
    if (!mark || !existsSync(path)) return stop()
    const work = now(mark.work)
    const seenAt = clock()
    if (String(work) !== String(mark.work) || seenAt - mark.seenAt >= signMs)
      write({ ...mark, work, seenAt })
  }
  const stop = (): void => {
    if (timer) clearInterval(timer)
    timer = null
  }

  return {
    lastRun,
    start() {
      const at = clock()
      write({ version, startedAt: at, seenAt: at, work: [] })
      timer ??= setInterval(check, checkMs).unref()
    },
    end() {
      stop()
      if (mark) removeRunMark(home)
    },
  }
}

/** Reads the file of the previous run; null if it is missing or invalid. */
function read(path: string): RunMark | null {
  try {
    const mark: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isMark(mark) ? mark : null
  } catch {
    return null
  }
}

/** Whether a value is a valid timestamp. */
const isTime = (value: unknown): boolean =>
  typeof value === 'number' && Number.isFinite(new Date(value).getTime())

const isMark = (value: unknown): value is RunMark =>
  typeof value === 'object' &&
  value !== null &&
  'version' in value &&
  typeof value.version === 'string' &&
  'startedAt' in value &&
  isTime(value.startedAt) &&
  'seenAt' in value &&
  isTime(value.seenAt) &&
  'work' in value &&
  Array.isArray(value.work) &&
  value.work.every((one) => runWorks.some((known) => known === one))

function unclean(mark: RunMark | null, version: string, bootedAt: number): UncleanEnd | null {
  if (!mark || mark.version !== version || mark.seenAt < bootedAt) return null
  const { startedAt, seenAt, work } = mark
  return { startedAt, seenAt, work }
}
