import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asOrdinaryUser } from '../../../fixtures/ordinary-user.ts'

/** Separate disk that can be filled. */
export interface SmallDisk {
  readonly path: string
  remove(): void
}

/** Mounts a tmpfs; null if this process is not allowed to (no root, or a container without mounts). */
export function smallDisk(bytes: number): SmallDisk | null {
  const path = mkdtempSync(join(tmpdir(), 'lectern-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', path], {
      stdio: 'ignore',
    })
  } catch {
    rmSync(path, { recursive: true })
    return null
  }
  return {
    path,
    remove() {
      execFileSync('umount', ['-l', path], { stdio: 'ignore' })
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** Folder that can be made read-only. */
export interface LockableFolder {
  readonly path: string
  /** Runs work while nothing in the folder can be written. */
  locked<T>(work: () => Promise<T>): Promise<T>
  remove(): void
}

/** Creates a folder that is locked by its file modes. */
export function lockableFolder(): LockableFolder {
  const path = mkdtempSync(join(tmpdir(), 'lectern-locked-'))
  const setModes = (ofFolders: number, ofFiles: number): void => {
    const inside = readdirSync(path, { recursive: true, encoding: 'utf8' })
    for (const each of [path, ...inside.map((name) => join(path, name))])
      chmodSync(each, statSync(each).isDirectory() ? ofFolders : ofFiles)
  }
  return {
    path,
    async locked(work) {
      setModes(0o555, 0o444)
      try {
        return await asOrdinaryUser(work)
      } finally {
        setModes(0o700, 0o600)
      }
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}
