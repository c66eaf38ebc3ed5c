import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, posix, win32 } from 'node:path'
import { moveFileSync, removal } from '../../system/file-moves.ts'

/**
 * Whether a path lies below a folder, or is it. No comparison of beginnings: `C:\\Users\\An` is one of `C:\\Users\\Anna`. Windows and macOS
 * take names that differ in case alone for the same, macOS also those that differ in their Unicode form.
 */
export function isInside(
  folder: string,
  path: string,
  platform: string = process.platform,
): boolean {
  const paths = platform === 'win32' ? win32 : posix
  const known = (name: string): string =>
    platform === 'darwin' ? name.normalize().toLowerCase() : name
  const way = paths.relative(known(folder), known(path))
  return !paths.isAbsolute(way) && way.split(paths.sep)[0] !== '..'
}

/**
 * Whether what is made in the data folder is private. Modes mean nothing on Windows: there it is by the rights that everything in the
 * user's profile inherits (the user, the system, administrators), and a folder elsewhere has those of its place.
 */
export const isPrivatePlace = (
  home: string,
  userHome: string,
  platform: string = process.platform,
): boolean => platform !== 'win32' || isInside(userHome, home, platform)

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
    moveFileSync(fresh, path)
  } catch (error) {
    rmSync(fresh, removal)
    throw error
  }
}

/**
 * From now on whatever this process creates (database, WAL, media, logs) belongs to its owner alone. Returns the permissions that the
 * user's own files have (0666 without the umask before), for copies that the user saves elsewhere.
 */
export function privateByDefault(): number {
  return 0o666 & ~process.umask(0o077)
}
