import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { removal } from '../../../system/file-moves.ts'
import { privateFolder, writePrivateFile } from '../../platform/security/private-files.ts'

/** Record of a running Lectern in its data folder for the next one that starts, readable by its owner only. */
interface Instance {
  readonly host: 'electron' | 'loopback'
  readonly pid: number
  /** Port of the loopback host; null for a window. */
  readonly port: number | null
  /** Secret that a second launch presents to the first to get a URL; empty for a window. */
  readonly secret: string
}

/** A locked data folder. */
export interface HomeLock {
  /** Publishes the owner of the lock. */
  announce(instance: Instance): void
  release(): void
}

const lockName = 'instance.lock'
const cardName = 'instance.json'

/**
 * Locks the data folder for this process; returns null if another one has it. It is a lock of the operating system, acquired
 * through SQLite: it ends with its process in any case, so no stale lock must be detected.
 */
export function lockHome(home: string): HomeLock | null {
  privateFolder(home)
  const lock = new Database(join(home, lockName), { timeout: 0 })
  try {
    lock.pragma('locking_mode = EXCLUSIVE')
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return null
    throw error
  }
  const card = join(home, cardName)
  rmSync(card, removal)
  return {
    announce: (instance) => writePrivateFile(card, JSON.stringify(instance)),
    release() {
      if (!lock.open) return
      rmSync(card, removal)
      lock.close()
    },
  }
}

/**
 * Returns the owner of the data folder from its record; null while a first one is still starting or if it is unreadable.
 */
export function readInstance(home: string): Instance | null {
  try {
    const card: unknown = JSON.parse(readFileSync(join(home, cardName), 'utf8'))
    return isInstance(card) ? card : null
  } catch {
    return null
  }
}

function isInstance(card: unknown): card is Instance {
  if (typeof card !== 'object' || card === null) return false
  const { host, pid, port, secret } = card as Record<string, unknown>
  return (
    (host === 'electron' || host === 'loopback') &&
    Number.isInteger(pid) &&
    (port === null || (Number.isInteger(port) && Number(port) > 0 && Number(port) < 65_536)) &&
    typeof secret === 'string'
  )
}
