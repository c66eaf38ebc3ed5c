import type { ItemSummary } from '../../../../../shared/model/library.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { briefState } from './brief-state.ts'
import { documentState } from './document-state.ts'
import type { SpeechBrief } from '../../../../../shared/model/speech.ts'

/** Status of the work on an item, shown in its row. */
interface ItemState {
  readonly text: string
  readonly tone: 'live' | 'plain' | 'warn' | 'danger'
  /** 0 to 1 while work is running, null while progress is unknown; absent if no work is running. */
  readonly progress?: number | null
}

/** Returns a function with the status text of an item: running work, or what it needs; null if there is none. */
export function useItemState(): (item: ItemSummary) => ItemState | null {
  const { t, number } = useTranslation()
  return ({ meeting, document, conversation, speech }) => {
    if (conversation && conversation.state !== 'idle')
      return {
        text: t(`chatList.state.${conversation.state}`),
        tone: conversation.state === 'waiting' ? 'warn' : 'plain',
      }
    if (conversation && conversation.draft !== null)
      return { text: t('chatList.state.draft'), tone: 'plain' }
    const spoken = speech && speechState(speech)
    if (spoken) {
      const { key, n, all, tone, progress } = spoken
      const text = t(`speech.row.${key}`, { n: number(n), all: number(all) }, n)
      return { text, tone, ...(progress !== undefined && { progress }) }
    }
    const parsed = document && documentState(document)
    if (parsed) {
      const { key, n, all, tone, progress } = parsed
      const text = t(`documentRow.${key}`, { n: number(n), all: number(all) }, n)
      return { text, tone, ...(progress !== undefined && { progress }) }
    }
    const brief = meeting && briefState(meeting)
    if (!brief) return null
    const { key, value, tone, progress } = brief
    const text = t(`meeting.state.${key}`, { n: number(value) }, value)
    return { text, tone, ...(progress !== undefined && { progress }) }
  }
}

/** Status of a narration in its row: the key of its label, with numbers. */
interface SpeechRowState {
  readonly key: 'working' | 'failed' | 'stale' | 'idle'
  readonly n: number
  readonly all: number
  readonly tone: 'plain' | 'warn' | 'danger'
  /** 0 to 1 during synthesis. */
  readonly progress?: number
}

/** Current work of a narration, or what it needs; null if it is complete. */
function speechState({ counts }: SpeechBrief): SpeechRowState | null {
  const { pieces: all, done, open, failed, stale } = counts
  if (open > 0) return { key: 'working', n: done, all, tone: 'plain', progress: done / all }
  if (failed > 0) return { key: 'failed', n: failed, all, tone: 'danger' }
  if (stale > 0) return { key: 'stale', n: stale, all, tone: 'warn' }
  return done === 0 && all > 0 ? { key: 'idle', n: 0, all, tone: 'plain' } : null
}
