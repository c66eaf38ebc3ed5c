import { onScopeDispose, shallowRef, watch } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type {
  Grade,
  HitIdentity,
  Judgement,
  RetrievalHit,
} from '../../../../../shared/model/retrieval.ts'
import { gradesOf } from '../../../../../shared/knowledge/retrieval/metrics.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'

/** Relevance ratings of passages for a question, and a function to set them. */
export function useRelevanceRatings(questionId: () => string | null) {
  const client = useClient()
  const judgements = shallowRef<readonly Judgement[]>([])
  const failure = shallowRef<Failure | null>(null)

  const load = async (): Promise<void> => {
    const wanted = questionId()
    judgements.value = []
    if (wanted === null) return
    const reply = await client.request('retrieval.judgements', { questionId: wanted })
    if (wanted === questionId() && reply.ok) judgements.value = reply.data.judgements
  }
  /** Rates the relevance of a result; choosing the same grade again clears it. */
  const rate = async (hit: RetrievalHit, grade: Grade | null): Promise<void> => {
    const wanted = questionId()
    if (wanted === null) return
    const { sliceId, textKey, text, documentId, documentName } = hit
    const reply = await client.request('retrieval.rate', {
      questionId: wanted,
      passage: { sliceId, textKey, text, documentId, documentName },
      grade,
    })
    failure.value = reply.ok ? null : reply.error
    if (reply.ok && wanted === questionId()) judgements.value = reply.data.judgements
  }
  const grades = (hits: readonly HitIdentity[]): readonly (number | null)[] =>
    gradesOf(hits, judgements.value)

  watch(questionId, load, { immediate: true })
  onScopeDispose(
    client.onEvent((event) => {
      if (event.type === 'retrieval.set') void refresh()
    }),
  )
  const refresh = async (): Promise<void> => {
    const wanted = questionId()
    if (wanted === null) return
    const reply = await client.request('retrieval.judgements', { questionId: wanted })
    if (wanted === questionId() && reply.ok) judgements.value = reply.data.judgements
  }
  return { judgements, failure, rate, grades }
}
