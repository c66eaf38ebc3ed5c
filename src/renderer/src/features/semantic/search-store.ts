import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { MeaningKind, SemanticReply } from '../../../../shared/model/semantic.ts'
import { useClient } from '../../api/use-client.ts'
import { momentOf, type Range } from './ranges.ts'

/** The question, what it is asked of, and the answer: kept while a hit is looked at. */
export const useMeaningSearch = defineStore('meaning-search', () => {
  const client = useClient()
  const query = ref('')
  const kind = ref<MeaningKind | ''>('')
  const range = ref<Range>('all')
  /** Empty: as they were merged. */
  const rerankBy = ref('')
  const asked = ref('')
  const reply = shallowRef<SemanticReply | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const busy = ref(false)
  let turn = 0

  /** Asks an index, or with null the words alone. */
  const ask = async (indexId: number | null): Promise<void> => {
    const text = query.value.trim()
    if (text === '') return
    const mine = ++turn
    busy.value = true
    const answer = await client.request('semantic.search', {
      query: text,
      indexId,
      kinds: kind.value === '' ? null : [kind.value],
      from: momentOf(range.value),
      limit: 50,
      rerankBy: rerankBy.value === '' ? null : rerankBy.value,
    })
    if (mine !== turn) return
    busy.value = false
    asked.value = text
    reply.value = answer.ok ? answer.data : null
    failure.value = answer.ok ? null : answer.error
  }
  const clear = (): void => {
    turn += 1
    busy.value = false
    reply.value = null
    failure.value = null
    asked.value = ''
  }
  const hits = computed(() => reply.value?.hits ?? [])
  return { query, kind, range, rerankBy, asked, reply, failure, busy, hits, ask, clear }
})
