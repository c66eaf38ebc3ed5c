import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../platform/security/private-files.ts'

/** Data about updates saved between two starts, in `updates/state.json`. */
export interface UpdateRecords {
  /** From 0 to 1, drawn once: this installation's position in a staged release. Never sent. */
  readonly rollout: number
  /** `issuedAt` of the newest accepted feed. */
  readonly seenIssue: number
  /** When a mirror last responded, Unix ms; 0 for never. */
  readonly checkedAt: number
  /** Version from which the user rolled back; '' for none. */
  readonly leftVersion: string
  /** Last installed update. */
  readonly last: LastUpdate | null
  /** Package of the running version, below `updates/current`: installers of Windows and macOS leave none behind. */
  readonly current: (PackageFile & { readonly version: string }) | null
  /** Update that is being installed: the next start determines whether it was. */
  readonly pending: PendingUpdate | null
  /** Backup made for a version, reused if the same version is installed soon afterward. */
  readonly backup: { readonly version: string; readonly name: string; readonly at: number } | null
  /** Rollback in progress: the version that starts next, and the backup it opens if it cannot read the current library. */
  readonly rollBack: { readonly version: string; readonly backup: string } | null
}

/** Installed update, with the data for a rollback. */
export interface LastUpdate {
  readonly from: string
  readonly to: string
  readonly at: number
  /** Name of the backup made right before, in the backups folder; '' if the library was read-only. */
  readonly backup: string
  /** Earlier package below `updates/previous`; null if it could not be saved. */
  readonly previous: PackageFile | null
}

/** Package on this disk. */
export interface PackageFile {
  readonly name: string
  readonly size: number
  /** Base64. */
  readonly sha512: string
}

/** Update between the decision to install it and the next start. */
interface PendingUpdate extends LastUpdate {
  /** Whether it is installed when Lectern quits; a crash does not install it. */
  readonly onQuit: boolean
  /** Package that is installed, below `updates/packages`. */
  readonly file: PackageFile
}

/** Folder of updates: packages, partial downloads and records. */
export const updatesFolder = (home: string): string => join(home, 'updates')

const fileOf = (home: string): string => join(updatesFolder(home), 'state.json')

/** Update records in memory and on disk. */
export interface RecordsBook {
  readonly now: UpdateRecords
  /** Writes the changes atomically. */
  change(change: Partial<UpdateRecords>): void
  /** Returns the result of an installation at the first start after it: updated, failed, or none. */
  settle(version: string, now: number): 'updated' | 'failed' | 'none'
}

/** Returns the names of the backups that a rollback needs, from the records on disk: these are never pruned. */
export function backupsOfUpdates(home: string): readonly string[] {
  const { last, pending, backup, rollBack } = readRecords(home, () => 0)
  const names = [last?.backup, pending?.backup, backup?.name, rollBack?.backup]
  return names.flatMap((name) => (name === undefined || name === '' ? [] : [name]))
}

/** Time during which a rollback is offered and the earlier package is kept: 30 days. */
const rollBackMs = 30 * 24 * 60 * 60 * 1000

/** Opens the records; if the file is missing or damaged, only the rollback is lost. */
export function createRecordsBook(home: string, random: () => number): RecordsBook {
  let now = readRecords(home, random)
  const change = (some: Partial<UpdateRecords>): void => {
    now = { ...now, ...some }
    writePrivateFile(fileOf(home), JSON.stringify(now))
  }
  return {
    get now() {
      return now
    },
    change,
    settle(version, at) {
      const { pending } = now
      const isUpdated = pending?.to === version
      const isFailed = pending !== null && pending.from === version && !pending.onQuit
      const last = isUpdated ? pending : now.last
      // Another version was installed manually, or it was long ago.
      const isOver = last !== null && (last.to !== version || at - last.at > rollBackMs)
      if (pending !== null || isOver) change({ pending: null, last: isOver ? null : last })
      return isUpdated ? 'updated' : isFailed ? 'failed' : 'none'
    },
  }
}

function readRecords(home: string, random: () => number): UpdateRecords {
  const empty: UpdateRecords = {
    rollout: random(),
    seenIssue: 0,
    checkedAt: 0,
    leftVersion: '',
    last: null,
    current: null,
    pending: null,
    backup: null,
    rollBack: null,
  }
  try {
    const found = JSON.parse(readFileSync(fileOf(home), 'utf8')) as Partial<UpdateRecords>
    const number = (value: unknown, otherwise: number): number =>
      typeof value === 'number' && Number.isFinite(value) ? value : otherwise
    return {
      rollout: number(found.rollout, empty.rollout),
      seenIssue: number(found.seenIssue, 0),
      checkedAt: number(found.checkedAt, 0),
      leftVersion: typeof found.leftVersion === 'string' ? found.leftVersion : '',
      last: isLast(found.last) ? found.last : null,
      current: typeof found.current?.sha512 === 'string' ? found.current : null,
      pending: isLast(found.pending) ? found.pending : null,
      backup: typeof found.backup?.name === 'string' ? found.backup : null,
      rollBack: typeof found.rollBack?.backup === 'string' ? found.rollBack : null,
    }
  } catch {
    return empty
  }
}

/** Whether a value has the data needed for a rollback. */
function isLast<T extends LastUpdate>(value: T | null | undefined): value is T {
  const last: Partial<LastUpdate> | null | undefined = value
  return (
    typeof last?.from === 'string' &&
    typeof last.to === 'string' &&
    typeof last.at === 'number' &&
    typeof last.backup === 'string' &&
    (last.previous === null || typeof last.previous?.name === 'string')
  )
}
