import { defineStore } from 'pinia'
import { ref } from 'vue'
import type { MeaningKind } from '../../../../shared/model/semantic.ts'
import { useClient } from '../../api/use-client.ts'
import { momentOf, type Range } from './ranges.ts'
import { createSemanticSearch } from './use-semantic-search.ts'

/** The question of the Bench, what it is asked of, and the answer: kept while a hit is looked at. */
export const useMeaningSearch = defineStore('meaning-search', () => {
  const { reply, failure, busy, ask: send, clear } = createSemanticSearch(useClient())
  const query = ref('')
  const kind = ref<MeaningKind | ''>('')
  const range = ref<Range>('all')
  /** Empty: as they were merged. */
  const rerankBy = ref('')
  const asked = ref('')
  let askedOf = 0

  const ask = async (indexId: number): Promise<void> => {
    const text = query.value.trim()
    if (text === '') return
    asked.value = text
    askedOf = indexId
    await send({
      query: text,
      indexId,
      kinds: kind.value === '' ? null : [kind.value],
      from: momentOf(range.value),
      limit: 50,
      rerankBy: rerankBy.value === '' ? null : rerankBy.value,
    })
  }
  /** Leaves the answer of another index. */
  const use = (indexId: number): void => {
    if (askedOf === indexId) return
    asked.value = ''
    clear()
  }
  return { query, kind, range, rerankBy, asked, reply, failure, busy, ask, use }
})
