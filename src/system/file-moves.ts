import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { systemCode } from './system-code.ts'

/**
 * Options for removing files and folders (`rm(path, removal)`): retries for about a second while another program has one of them
 * open, which on Windows prevents the removal. A missing file is not an error.
 */
export const removal = { force: true, recursive: true, maxRetries: 8, retryDelay: 25 } as const

/**
 * Removes temporary data after an operation. Never rejects: the result of the operation is not lost because a leftover cannot be
 * removed; the failure is logged.
 */
export async function discard(
  path: string,
  log?: { warn(message: string, facts: Readonly<Record<string, unknown>>): void },
): Promise<void> {
  await rm(path, removal).catch((error: unknown) => log?.warn('failed to remove a file', { error }))
}

/** Pauses in milliseconds before a retry, about a second and a half in total. */
const pauses: readonly number[] = [10, 20, 40, 80, 160, 240, 320, 400]

/** Whether Windows reports a file as in use by a virus scanner, an indexer or a backup; elsewhere such an error is final. */
const isHeld = (error: unknown, platform: string): boolean =>
  platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error))

/**
 * Renames a file or folder on the same disk, replacing an existing file. Throws the system error, on Windows after
 * {@link pauses}: there a file that another program has open can be neither renamed nor replaced.
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

/** Like {@link moveFile}, for workers and for steps that must finish before anything else: it blocks the thread. */
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

/** Flushes a folder, so that the names in it survive a power failure. Windows has no folder handle to flush. */
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
 * Writes a small file so that after a crash or a power failure it contains either this text or the previous one: writes a
 * temporary file next to it, flushes and renames it, and flushes the name. Only its owner can read it.
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
