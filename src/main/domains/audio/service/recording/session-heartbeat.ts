import { stat, utimes } from 'node:fs/promises'
import { isRunning } from '../../../../../system/running.ts'
import { sessionFiles, type SessionHead } from '../../../../platform/audio/session-files.ts'

/** Heartbeat interval in milliseconds, and time without one after which an owner counts as dead. */
const beatMs = 5000
const goneMs = 3 * beatMs
const checkMs = 500

/** Heartbeat for open sessions, including paused ones. */
interface Life {
  begin(): void
  rest(): void
}

/** Touches the header of every open session regularly: a process ID alone proves nothing, since systems reuse them. */
export function showLife(folders: () => readonly string[]): Life {
  let timer: NodeJS.Timeout | null = null
  const beat = (): void => {
    const now = new Date()
    // At worst a header that cannot be touched looks abandoned, and only to another process.
    for (const folder of folders())
      void utimes(sessionFiles(folder).head, now, now).catch(() => undefined)
  }
  return {
    begin() {
      timer ??= setInterval(beat, beatMs).unref()
    },
    rest() {
      if (timer) clearInterval(timer)
      timer = null
    },
  }
}

/**
 * Whether a session has a live writer: this run itself, or another running process with heartbeats. A running process with a
 * recent heartbeat may still be unrelated and reuse a dead owner's ID, so it is watched until the next heartbeat, or until none
 * follows.
 */
export async function isOwned(
  folder: string,
  head: SessionHead,
  run: string,
  patienceMs = goneMs,
): Promise<boolean> {
  if (head.owner.run === run) return true
  if (head.owner.pid === process.pid || !isRunning(head.owner.pid)) return false
  const first = await signOf(folder)
  for (;;) {
    const sign = await signOf(folder)
    if (sign !== first) return true
    if (Math.abs(Date.now() - sign) > patienceMs) return false
    await new Promise((resolve) => setTimeout(resolve, checkMs))
  }
}

const signOf = async (folder: string): Promise<number> =>
  (await stat(sessionFiles(folder).head)).mtimeMs
