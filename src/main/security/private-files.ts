import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Makes a folder only its owner can look into (0700), also when it was there before with wider rights. */
export function privateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32') chmodSync(path, 0o700)
}

/** Writes a file only its owner can read (0600), whole or not at all. */
export function writePrivateFile(path: string, content: string): void {
  privateFolder(dirname(path))
  const fresh = `${path}.${process.pid}.new`
  try {
    writeFileSync(fresh, content, { mode: 0o600, flag: 'wx' })
    renameSync(fresh, path)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

/** From now on whatever this process creates (database, WAL, media, logs) belongs to its owner alone. */
export function privateByDefault(): void {
  process.umask(0o077)
}
