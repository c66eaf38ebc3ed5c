import type { DocumentBrief } from '../../../../shared/model/document.ts'
import { isRunning, shareDone } from '../documents/parse-state.ts'

/** What a list says of a document: a key of `documentRow`, its numbers and how far it is. */
export interface DocumentRowState {
  readonly key: 'locked' | 'unparsed' | 'queued' | 'running' | 'failed' | 'stopped'
  /** Pages it is about; of `all`, where work goes on. */
  readonly n: number
  readonly all: number
  readonly tone: 'plain' | 'warn' | 'danger'
  /** 0 to 1 while it is parsed. */
  readonly progress?: number
}

/** What goes on with a document, or what it needs; null when all is there. */
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
  // Stopped by the reader, or never sent: nothing went wrong.
  const missing = all - returned
  return missing > 0 ? { key: 'stopped', n: missing, all, tone: 'warn' } : null
}
