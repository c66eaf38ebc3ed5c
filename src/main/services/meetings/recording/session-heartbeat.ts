import { stat, utimes } from 'node:fs/promises'
import { isRunning } from '../../../../system/running.ts'
import { sessionFiles, type SessionHead } from '../../../audio/session-files.ts'

/** Milliseconds between two signs of life, and after how many without one an owner is gone. */
const beatMs = 5000
const goneMs = 3 * beatMs
const checkMs = 500

/** Signs of life for sessions that are open, paused ones too. */
export interface Life {
  begin(): void
  rest(): void
}

/** Touches the head of every open session now and then: a process id alone proves nothing, systems give it to others. */
export function showLife(folders: () => readonly string[]): Life {
  let timer: NodeJS.Timeout | null = null
  const beat = (): void => {
    const now = new Date()
    // A head that cannot be touched looks abandoned at worst, and only to another process.
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
 * Whether somebody writes this session: this run itself, or another process that lives and shows it. A living process whose sign is
 * fresh may still be a stranger with a dead owner's number, so it is watched until the next sign, or until none came.
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
