import type { Clock, Log } from '../../deps.ts'
import type { MediaFiles } from '../../media/files.ts'
import type { Store } from '../../store/types.ts'
import type { Library } from '../library/library.ts'

/** The quiet work: a daily backup, the bin, files that nothing uses. */
export interface Housekeeping {
  start(): void
  stop(): void
  /** One round now; failures are logged and tried again at the next. */
  round(): Promise<void>
}

/** What housekeeping is built from. */
export interface HousekeepingDeps {
  readonly store: Store
  readonly library: Library
  readonly files: MediaFiles
  readonly clock: Clock
  readonly log: Log
  /** True when the newest backup is a day old. */
  backupIsDue(): boolean
  /** False while jobs run: the disk is theirs. */
  idle(): boolean
}

/** First round after start, and the pause between rounds, in milliseconds. */
const firstMs = 60_000
const everyMs = 30 * 60_000
/** A file that was dropped but never became an item is kept for a day: its page may still be asking what to do. */
const orphanMs = 86_400_000

/** Builds the housekeeping; nothing happens before `start`. */
export function createHousekeeping(deps: HousekeepingDeps): Housekeeping {
  let timer: NodeJS.Timeout | null = null
  const round = async (): Promise<void> => {
    if (!deps.store.writable || !deps.idle()) return
    try {
      await deps.library.emptyOldBin()
      await deps.files.sweep(deps.clock() - orphanMs)
      if (deps.backupIsDue()) {
        const backup = await deps.store.backup()
        if (!backup.ok) deps.log.warn('backup failed', { code: backup.error.code })
      }
    } catch (error) {
      deps.log.error('housekeeping', { error })
    }
  }
  const plan = (ms: number): void => {
    timer = setTimeout(() => void round().finally(() => timer && plan(everyMs)), ms)
    timer.unref()
  }
  return {
    start: () => plan(firstMs),
    stop() {
      if (timer) clearTimeout(timer)
      timer = null
    },
    round,
  }
}
