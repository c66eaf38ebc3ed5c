import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { MeaningKind } from '../../../../../shared/model/semantic.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useLatest } from '../../../kit/use-latest.ts'
import { momentOf, type Range } from './ranges.ts'

/** The query of semantic search, its index, and the results: kept while a result is shown. */
export const useMeaningSearch = defineStore('meaning-search', () => {
  const client = useClient()
  const {
    data: reply,
    failure,
    busy,
    load,
    clear,
  } = useLatest((request: RequestOf<'semantic.search'>) =>
    client.request('semantic.search', request),
  )
  const query = ref('')
  const kind = ref<MeaningKind | ''>('')
  const range = ref<Range>('all')
  /** Empty: the merged order. */
  const rerankBy = ref('')
  const submittedQuery = ref('')
  let submittedIndexId = 0

  const ask = async (indexId: number): Promise<void> => {
    const text = query.value.trim()
    if (text === '') return
    submittedQuery.value = text
    submittedIndexId = indexId
    await load({
      query: text,
      indexId,
      kinds: kind.value === '' ? null : [kind.value],
      from: momentOf(range.value),
      limit: 50,
      rerankBy: rerankBy.value === '' ? null : rerankBy.value,
    })
  }
  /** Discards the results of another index. */
  const use = (indexId: number): void => {
    if (submittedIndexId === indexId) return
    submittedQuery.value = ''
    clear()
  }
  return { query, kind, range, rerankBy, submittedQuery, reply, failure, busy, ask, use }
})
