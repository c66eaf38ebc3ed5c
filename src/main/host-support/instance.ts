import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { removal } from '../../system/file-moves.ts'
import { privateFolder, writePrivateFile } from '../security/private-files.ts'

/** What a running Lectern leaves in its data folder, readable by its owner only, for the next one that is started. */
export interface Instance {
  readonly host: 'electron' | 'loopback'
  readonly pid: number
  /** The loopback host's port; null for a window. */
  readonly port: number | null
  /** What a second launch shows to the first one to get an address; empty for a window. */
  readonly secret: string
}

/** A held data folder. */
export interface HomeLock {
  /** Tells who holds it. */
  announce(instance: Instance): void
  release(): void
}

const lockName = 'instance.lock'
const cardName = 'instance.json'

/**
 * Takes the data folder for this process, or answers null when another one has it. The lock is one of the operating
 * system's, held through SQLite: it goes away with its process however that ends, so there is no stale lock to judge.
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

/** Who holds the data folder, as far as its card can be read; null while a first one is still starting. */
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
