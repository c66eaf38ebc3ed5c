import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of its own that can be filled and made read-only. */
export interface SmallDisk {
  readonly path: string
  readOnly(on: boolean): void
  remove(): void
}

/** Mounts a tmpfs; null where this process may not (no root, or a container without mounts). */
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
    readOnly: (on) =>
      void execFileSync('mount', ['-o', `remount,${on ? 'ro' : 'rw'}`, path], { stdio: 'ignore' }),
    remove() {
      execFileSync('umount', ['-l', path], { stdio: 'ignore' })
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** A folder that can be made read-only: a mount for root, whom modes do not stop; else by its mode. */
export function lockableFolder(): SmallDisk {
  const disk = process.getuid?.() === 0 ? smallDisk(64 * 1024 * 1024) : null
  if (disk) return disk
  const path = mkdtempSync(join(tmpdir(), 'lectern-locked-'))
  return {
    path,
    readOnly: (on) => chmodSync(path, on ? 0o500 : 0o700),
    remove() {
      chmodSync(path, 0o700)
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** True where a full disk can be had; the tests that need one say in their name that they were left out. */
export const canMount = ((): boolean => {
  const disk = smallDisk(1024 * 1024)
  disk?.remove()
  return disk !== null
})()

/** True where read-only folders can be had: with mounts, or as a user whom modes stop. */
export const canLock = canMount || process.getuid?.() !== 0
