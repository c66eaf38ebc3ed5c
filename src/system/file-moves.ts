import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemCode } from './system-code.ts'

/**
 * How files and folders are removed (`rm(path, removal)`): again for about a second where another program holds one of them open,
 * which on Windows keeps a file and its folder from going. Nothing there is no error.
 */
export const removal = { force: true, recursive: true, maxRetries: 8, retryDelay: 25 } as const

/**
 * Removes what was needed for a piece of work only, once that is over. Never rejects: what the work made is not lost because
 * something else stays behind, which is logged.
 */
export async function discard(
  path: string,
  log?: { warn(message: string, facts: Readonly<Record<string, unknown>>): void },
): Promise<void> {
  await rm(path, removal).catch((error: unknown) => log?.warn('a file is left behind', { error }))
}

/** Pauses in milliseconds before another try, about a second and a half in all. */
const pauses: readonly number[] = [10, 20, 40, 80, 160, 240, 320, 400]

/** What Windows says of a file that a virus scanner, an indexer or a backup reads just then; elsewhere such an answer is final. */
const isHeld = (error: unknown, platform: string): boolean =>
  platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error))

/**
 * Gives a file or folder another name on the same disk, replacing a file that has it. Throws what the system throws, on Windows after
 * {@link pauses}: there a name cannot be taken from or given to what another program has open.
 */
export async function moveFile(
  from: string,
  to: string,
  platform: string = process.platform,
): Promise<void> {
  for (const ms of pauses)
    try {
      return await rename(from, to)
    } catch (error) {
      if (!isHeld(error, platform)) throw error
      await pause(ms)
    }
  await rename(from, to)
}

const still = new Int32Array(new SharedArrayBuffer(4))

/** Like {@link moveFile}, for workers and for what must be done before anything else goes on: it holds up the thread. */
export function moveFileSync(from: string, to: string, platform: string = process.platform): void {
  for (const ms of pauses)
    try {
      renameSync(from, to)
      return
    } catch (error) {
      if (!isHeld(error, platform)) throw error
      Atomics.wait(still, 0, 0, ms)
    }
  renameSync(from, to)
}

/** Flushes a folder, so that the names in it survive a power cut. Windows has no handle of a folder to flush. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const file = openSync(folder, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Writes a small file so that after a crash or a power cut it holds either this text or what it held before: beside it, flushed, renamed
 * into place, and the name flushed too. Only its owner can read it.
 */
export function writeFileWhole(path: string, text: string): void {
  const temporary = `${path}.tmp`
  try {
    const file = openSync(temporary, 'w', 0o600)
    try {
      writeFileSync(file, text)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    moveFileSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  syncFolder(dirname(path))
}
