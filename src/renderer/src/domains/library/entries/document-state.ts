import type { DocumentBrief } from '../../../../../shared/model/document.ts'
import { isRunning, shareDone } from './parse-state.ts'

/** Status of a document in a list: a key of `documentRow`, its numbers and progress. */
interface DocumentRowState {
  readonly key: 'locked' | 'unparsed' | 'queued' | 'running' | 'failed' | 'stopped'
  /** Number of affected pages, out of `all` while work is running. */
  readonly n: number
  readonly all: number
  readonly tone: 'plain' | 'warn' | 'danger'
  /** Progress, 0 to 1, while it is parsed. */
  readonly progress?: number
}

/** Returns the running work of a document, or what it needs; null if it is complete. */
export function documentState({ locked, state, counts }: DocumentBrief): DocumentRowState | null {
  if (locked) return { key: 'locked', n: 0, all: 0, tone: 'warn' }
  if (state === null || counts === null) return { key: 'unparsed', n: 0, all: 0, tone: 'plain' }
  const { asked: all, returned, failed, waiting } = counts
  if (isRunning(state)) {
    const n = all - waiting
    if (n === 0 && state === 'waiting') return { key: 'queued', n: all, all, tone: 'plain' }
    return { key: 'running', n, all, tone: 'plain', progress: shareDone(counts) }
  }
  if (failed > 0) return { key: 'failed', n: failed, all, tone: 'danger' }
  // Stopped by the user, or never sent: no error.
  const missing = all - returned
  return missing > 0 ? { key: 'stopped', n: missing, all, tone: 'warn' } : null
}
