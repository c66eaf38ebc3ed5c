import type { Library } from '../library.ts'
import type { Context } from '../../../../context.ts'

/** Background maintenance: a daily backup, emptying Trash, deleting unused files. */
interface Housekeeping {
  start(): void
  stop(): void
  /** Runs one round now; failures are logged and retried in the next round. */
  round(): Promise<void>
}

interface HousekeepingDeps extends Pick<Context, 'store' | 'files' | 'clock' | 'log'> {
  readonly library: Library
  /** Whether the newest backup is at least a day old. */
  backupIsDue(): boolean
  /** False while jobs run: they have priority on the disk. */
  idle(): boolean
}

/** Delay of the first round after start, and between rounds, in milliseconds. */
const firstMs = 60_000
const everyMs = 30 * 60_000
/** Milliseconds for which a dropped file that never became an item is kept: its page may still show a question to the user. */
const orphanMs = 86_400_000

/** Creates the housekeeping; nothing happens before `start`. */
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
      deps.log.error('housekeeping failed', { error })
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
