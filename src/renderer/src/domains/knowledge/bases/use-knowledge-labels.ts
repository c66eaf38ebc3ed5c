import type { KnowledgeDocument, KnowledgeEvent } from '../../../../../shared/model/knowledge.ts'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import { embeddingCode, embeddingCodes } from '../../../../../shared/provider/knowledge-terms.ts'
import { onScopeDispose, ref } from 'vue'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { ago } from '../../../kit/ago.ts'

/** Interval at which ages are updated, in milliseconds. */
const ageMs = 30_000

/** Texts about knowledge bases, in the user's language. */
export function useKnowledgeLabels() {
  const words = useTranslation()
  const { t, number, language } = words
  const now = ref(Date.now())
  const timer = setInterval(() => (now.value = Date.now()), ageMs)
  onScopeDispose(() => clearInterval(timer))

  /** Returns how long ago a moment was; updated over time. */
  const since = (at: number): string => ago(at, now.value, language.value)
  const documents = (n: number): string => t('knowledge.documents', { n: number(n) }, n)
  const wordCount = (n: number): string => t('knowledge.words', { n: number(n) }, n)
  /** Returns the reason why embedding failed, by the provider's error code. */
  const reason = ({ failure }: KnowledgeDocument): string => {
    const code = failure?.code ?? null
    const key =
      code === embeddingCodes.unreadable
        ? 'unreadable'
        : code === embeddingCodes.tooManyWords
          ? 'tooManyWords'
          : 'other'
    return t(`knowledge.doc.reason.${key}`)
  }
  /** Returns the provider's own error message with its code; empty if there is none. */
  const errorText = ({ failure }: KnowledgeDocument): string => {
    if (!failure) return ''
    const message =
      failure.message === '' ? '' : t('knowledge.doc.providerMessage', { text: failure.message })
    const code = failure.code === null ? '' : t('knowledge.doc.code', { code: failure.code })
    return [message, code].filter((part) => part !== '').join(' · ')
  }
  const what = (failure: Failure): string => words.failure(failure).what
  const event = ({ deed: action }: KnowledgeEvent): string => {
    if (action.what === 'edited') {
      const fields = action.fields.map((field) => t(`knowledge.field.${fieldKey(field)}`))
      return t('knowledge.event.edited', { fields: fields.join(', ') })
    }
    if (!('names' in action)) return t(`knowledge.event.${action.what}`)
    const shown = action.names.slice(0, 3).join(', ')
    const more = action.n - Math.min(3, action.names.length)
    const names = more > 0 ? t('knowledge.event.more', { names: shown, n: number(more) }) : shown
    return t(`knowledge.event.${action.what}`, { names })
  }
  const model = (id: number | null): string =>
    embeddingCode(id) ?? (id === null ? t('knowledge.unknown') : String(id))
  const percent = (part: number, whole: number): string => {
    const share = whole > 0 ? (part / whole) * 100 : 0
    return share.toLocaleString(language.value, {
      maximumFractionDigits: share > 0 && share < 10 ? 1 : 0,
    })
  }
  return { since, documents, wordCount, reason, errorText, what, event, model, percent }
}

const fieldKey = (field: string): string => (field === 'embeddingId' ? 'model' : field)
