import type { ItemSummary } from '../../../../../shared/model/library.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { briefState } from './brief-state.ts'
import { speechState } from './speech-state.ts'
import { documentState } from './document-state.ts'

/** Status of the work on an item, shown in its row. */
export interface ItemState {
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
