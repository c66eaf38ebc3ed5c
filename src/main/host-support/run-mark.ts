import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import { runWorks, type RunWork, type UncleanEnd } from '../../shared/model/run-mark.ts'
import type { Clock, Log } from '../deps.ts'
import { moveFileSync, removal } from '../../system/file-moves.ts'

const pathOf = (home: string): string => join(home, 'running.json')

interface RunMark extends UncleanEnd {
  readonly version: string
}

/** Says that the run ends in order, or that its end has been told: the next start says nothing of it. */
export function removeRunMark(home: string): void {
  try {
    rmSync(pathOf(home), removal)
  } catch {
    // The next start tells of a run that was closed: nothing is lost by it.
  }
}

/** The file that says that Lectern runs, since when and what it does. */
export interface RunWatch {
  /** The last run, where it ended without being closed. */
  readonly lastRun: UncleanEnd | null
  /** Says that this one runs, from now on. */
  start(): void
  /** Call first of all that ends it: the system may give no time for more. */
  end(): void
}

/** Milliseconds between two looks at what is under way, and between two signs of life while nothing changes. */
const checkMs = 5_000
const signMs = 60_000

/** Reads what the last run left. A computer that was started since, and another version, ended it themselves. */
export function createRunWatch(parts: {
  readonly home: string
  readonly version: string
  readonly clock: Clock
  readonly log: Log
  /** What is under way now. */
  underWay(): readonly RunWork[]
  /** Milliseconds since the computer was started; the system's when absent. */
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
    log.warn('the last run ended without a close', { started, seen, work })
  }

  /** What is under way; what it was where the library cannot say, as another is just put in its place. */
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
      log.info('the sign of life is not written', { error })
    }
  }
  const check = (): void => {
    // Somebody took it away: this run's end has been told, or everything was erased.
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

/** What the last run left; null without, and for what is no mark. */
function read(path: string): RunMark | null {
  try {
    const mark: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return isMark(mark) ? mark : null
  } catch {
    return null
  }
}

/** What a date can be made of. */
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
