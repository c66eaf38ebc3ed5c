import { ref } from 'vue'
import type { Reply } from '../../../../../shared/contract/reply.ts'
import type { ManyOutcome } from '../../../../../shared/model/knowledge.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { useKnowledgeBase } from './base-store.ts'
import { useKnowledgeLabels } from './use-knowledge-labels.ts'

/** Actions for several documents at once; `problem` describes what failed. */
export function useDocumentActions() {
  const store = useKnowledgeBase()
  const toasts = useToasts()
  const { t, number } = useTranslation()
  const { what } = useKnowledgeLabels()
  const busy = ref(false)
  const problem = ref('')

  const many = async (
    request: Promise<Reply<ManyOutcome>>,
    words: 'removed' | 'embedded',
  ): Promise<void> => {
    busy.value = true
    const reply = await request
    busy.value = false
    if (!reply.ok) {
      problem.value = what(reply.error)
      return
    }
    const { done, failures } = reply.data
    const [first] = failures
    problem.value = first
      ? t(
          'knowledge.doc.notAll',
          { n: number(failures.length), what: what(first.error) },
          failures.length,
        )
      : ''
    if (done > 0) toasts.show(`knowledge.doc.${words}`, { count: done })
  }
  const remove = (ids: readonly string[]): Promise<void> =>
    many(store.removeDocuments(ids), 'removed')
  /** Embeds these documents again, or all failed ones. */
  const embed = (ids: readonly string[] | null): Promise<void> => many(store.embed(ids), 'embedded')
  return { busy, problem, remove, embed }
}
