import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, posix, win32 } from 'node:path'
import { moveFileSync, removal } from '../../../system/file-moves.ts'

/**
 * Whether a path is below a folder or is the folder. Does not compare prefixes: `C:\\Users\\An` is a prefix of `C:\\Users\\Anna`.
 * Windows and macOS treat names that differ only in case as the same, macOS also names that differ only in their Unicode form.
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
 * Whether files created in the data folder are private. Modes have no effect on Windows: files are private there through
 * the rights inherited from the user's profile (user, system, administrators); a folder elsewhere has the rights of its
 * location.
 */
export const isPrivatePlace = (
  home: string,
  userHome: string,
  platform: string = process.platform,
): boolean => platform !== 'win32' || isInside(userHome, home, platform)

/** Creates a folder that only its owner can access (0700); also restricts an existing folder that had wider rights. */
export function privateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 })
  if (process.platform !== 'win32') chmodSync(path, 0o700)
}

/** Writes a file that only its owner can read (0600), atomically. */
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
 * Makes everything this process creates from now on (database, WAL, media, logs) accessible to its owner only. Returns
 * the permissions of the user's own files (0666 minus the previous umask), for copies that the user saves elsewhere.
 */
export function privateByDefault(): number {
  return 0o666 & ~process.umask(0o077)
}
