import type { SpeechBrief } from '../../../../../shared/model/speech.ts'

/** Status of a narration in its row: the key of its label, with numbers. */
export interface SpeechRowState {
  readonly key: 'working' | 'failed' | 'stale' | 'idle'
  readonly n: number
  readonly all: number
  readonly tone: 'plain' | 'warn' | 'danger'
  /** 0 to 1 during synthesis. */
  readonly progress?: number
}

/** Current work of a narration, or what it needs; null if it is complete. */
export function speechState({ counts }: SpeechBrief): SpeechRowState | null {
  const { pieces: all, done, open, failed, stale } = counts
  if (open > 0) return { key: 'working', n: done, all, tone: 'plain', progress: done / all }
  if (failed > 0) return { key: 'failed', n: failed, all, tone: 'danger' }
  if (stale > 0) return { key: 'stale', n: stale, all, tone: 'warn' }
  return done === 0 && all > 0 ? { key: 'idle', n: 0, all, tone: 'plain' } : null
}
