import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivateFile } from '../security/private-files.ts'

/** What is kept about updates between two starts, in `updates/state.json`. */
export interface UpdateRecords {
  /** From 0 to 1, drawn once: the share of a staged release that this installation belongs to. Never sent. */
  readonly rollout: number
  /** `issuedAt` of the newest feed that was accepted. */
  readonly seenIssue: number
  /** When a mirror last answered, Unix ms; 0 for never. */
  readonly checkedAt: number
  /** The version the user went back from; '' for none. */
  readonly leftVersion: string
  /** The last update that was installed. */
  readonly last: LastUpdate | null
  /** The package of the version that runs, below `updates/current`: installers of Windows and macOS leave none behind. */
  readonly current: (PackageFile & { readonly version: string }) | null
  /** One that is being installed: the next start tells whether it was. */
  readonly pending: PendingUpdate | null
  /** The backup that was made for a version, used again where the same is installed soon afterwards. */
  readonly backup: { readonly version: string; readonly name: string; readonly at: number } | null
  /** The user goes back: the version that is to start next, and the backup it opens where it cannot read the library as it is. */
  readonly rollBack: { readonly version: string; readonly backup: string } | null
}

/** An update that was put in place, and what it takes to go back. */
export interface LastUpdate {
  readonly from: string
  readonly to: string
  readonly at: number
  /** The backup made right before, by its name in the backups folder; '' where the library was open for reading only. */
  readonly backup: string
  /** The earlier package below `updates/previous`; null where it could not be kept. */
  readonly previous: PackageFile | null
}

/** A package on this disk. */
export interface PackageFile {
  readonly name: string
  readonly size: number
  /** Base64. */
  readonly sha512: string
}

/** An update between the decision to install it and the next start. */
export interface PendingUpdate extends LastUpdate {
  /** It is installed when Lectern quits, which a crash never does. */
  readonly onQuit: boolean
  /** What is installed, below `updates/packages`. */
  readonly file: PackageFile
}

/** The folder of updates: packages, their parts, what is kept about them. */
export const updatesFolder = (home: string): string => join(home, 'updates')

const fileOf = (home: string): string => join(updatesFolder(home), 'state.json')

/** The records in use. */
export interface RecordsBook {
  readonly now: UpdateRecords
  /** Writes what changed, whole or not at all. */
  change(change: Partial<UpdateRecords>): void
  /** What the first start after an installation finds: it worked, it failed, or there was none. */
  settle(version: string, now: number): 'updated' | 'failed' | 'none'
}

/** Names of the backups that the way back needs, as they are on the disk now: these are never pruned. */
export function backupsOfUpdates(home: string): readonly string[] {
  const { last, pending, backup, rollBack } = readRecords(home, () => 0)
  const names = [last?.backup, pending?.backup, backup?.name, rollBack?.backup]
  return names.flatMap((name) => (name === undefined || name === '' ? [] : [name]))
}

/** How long the way back is offered, and the earlier package kept: 30 days. */
const rollBackMs = 30 * 24 * 60 * 60 * 1000

/** Opens the records; a file that is missing or damaged costs the way back, and nothing else. */
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
      // Somebody installed another version by hand, or it is long ago.
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

/** Whether it has what going back needs. */
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
