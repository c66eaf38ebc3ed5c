import { readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRunning } from './running.ts'
import { removal } from './file-moves.ts'

const prefix = 'lectern-unlocked-'
/** Age in milliseconds beyond which a copy is removed although its process seems to run: another one may have its ID. */
const oldMs = 24 * 60 * 60_000

/** Name prefix of this process's folder for copies of PDFs without their password. */
export const unlockedPrefix = `${prefix}${process.pid}-`

/** Removes the copies left by killed processes, but not those of other users. Never throws. */
export async function removeUnlockedCopies(): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  for (const name of names.filter((one) => one.startsWith(prefix))) {
    const path = join(tmpdir(), name)
    const pid = /^(\d{1,10})-/.exec(name.slice(prefix.length))?.[1]
    const about = await stat(path).catch(() => null)
    if (!about) continue
    const isLeft = pid !== undefined && !isRunning(Number(pid))
    if (isLeft || Date.now() - about.mtimeMs > oldMs) await rm(path, removal).catch(() => undefined)
  }
}
