import { computed } from 'vue'
import { localAccountId } from '../../../../../shared/provider/profiles.ts'
import { useTranslation } from '../../../i18n/use-translation.ts'
import { useRankingDraft } from './ranking-draft-store.ts'

/** Size of the ranking draft and its problems, as messages by field. */
export function useRankingProblems() {
  const draft = useRankingDraft()
  const { t, number } = useTranslation()
  const count = computed(() => draft.candidates.length)
  const topN = computed(() => (draft.topN.trim() === '' ? 0 : Number(draft.topN)))
  const rounds = computed(() =>
    count.value <= draft.limits.documents
      ? 1
      : 1 +
        Math.ceil((count.value - draft.limits.documents) / Math.max(1, draft.limits.documents - 2)),
  )
  const isLocal = computed(() => draft.account?.id === localAccountId)
  /** On-device scores are comparable within one request only; the bridge accepts no more than 2,048. */
  const maxDocuments = computed(() => (isLocal.value ? draft.limits.documents : 2048))
  const problems = computed(() => ({
    query:
      draft.query.trim() === ''
        ? t('playground.problems.required')
        : draft.queryChars > draft.limits.queryChars
          ? t('rerank.overQuery', { limit: number(draft.limits.queryChars) })
          : '',
    candidates:
      count.value === 0
        ? t('rerank.noCandidates')
        : count.value > maxDocuments.value
          ? t(isLocal.value ? 'rerank.overLocal' : 'rerank.overMax', {
              limit: number(maxDocuments.value),
            })
          : draft.tooLong.length > 0
            ? t(
                'rerank.overCandidates',
                { n: number(draft.tooLong.length), limit: number(draft.limits.documentChars) },
                draft.tooLong.length,
              )
            : '',
    topN: Number.isInteger(topN.value) && topN.value >= 0 ? '' : t('playground.problems.whole'),
  }))
  return { count, topN, rounds, maxDocuments, problems }
}
