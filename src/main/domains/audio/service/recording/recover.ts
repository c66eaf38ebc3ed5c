import { readdir } from 'node:fs/promises'
import type { Log } from '../../../../deps.ts'
import type { SessionSummary } from '../../worker/repair.ts'
import {
  importRun,
  readHead,
  sessionFolder,
  sessionIdPattern,
  sessionsFolder,
} from '../../../../platform/audio/session-files.ts'
import { isOwned } from './session-heartbeat.ts'
import type { ChannelRole, Gap } from '../../../../../shared/model/meeting.ts'

/** A session that an earlier run of Lectern left open, after its repair. */
export interface RecoveredSession {
  readonly id: string
  readonly title: string
  readonly roles: readonly ChannelRole[]
  readonly sampleRate: number
  /** Unix ms. */
  readonly startedAt: number
  readonly durationMs: number
  readonly gaps: readonly Omit<Gap, 'id'>[]
  /** Bytes after the last whole frame that were cut off. */
  readonly lostBytes: number
}

interface RecoverOptions {
  readonly run: string
  readonly log: Log
  repair(folder: string): Promise<SessionSummary | null>
  /** Whether the library has a row for the meeting of a closed session. */
  isListed(id: string): boolean
}

/**
 * Repairs every recording that an earlier run left open, and finds unlisted ones; one that cannot be repaired does not block the
 * others.
 */
export async function recoverSessions(
  home: string,
  { run, log, repair, isListed }: RecoverOptions,
): Promise<RecoveredSession[]> {
  const names = await readdir(sessionsFolder(home)).catch(() => [])
  const recovered: RecoveredSession[] = []
  for (const id of names.filter((name) => sessionIdPattern.test(name)).toSorted()) {
    const folder = sessionFolder(home, id)
    try {
      const head = readHead(folder)
      if (head?.owner.run === importRun) continue
      const isClosed = head?.state === 'closed'
      if (isClosed && isListed(id)) continue
      if (head && !isClosed && (await isOwned(folder, head, run))) continue
      // A closed session is only reported.
      const summary = await repair(folder)
      if (summary && !(isClosed && summary.frames === 0)) recovered.push(recoveredOf(id, summary))
    } catch (error) {
      log.error('failed to repair a session', { id, error })
    }
  }
  return recovered
}

function recoveredOf(
  id: string,
  { head, durationMs, gaps, lostBytes }: SessionSummary,
): RecoveredSession {
  const { title, roles, sampleRate, startedAt } = head
  return { id, title, roles, sampleRate, startedAt, durationMs, gaps, lostBytes }
}
