import { computed, onScopeDispose, shallowRef, watch, type Ref } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ItemSummary } from '../../../../../shared/model/library.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useLibrary } from '../../library/index.ts'

/** The row of the opened item of any kind: from the list if it contains it, otherwise requested. */
export function useOpenedItem(id: Ref<string>) {
  const client = useClient()
  const library = useLibrary()
  const known = shallowRef<ItemSummary | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const listed = computed(() => library.row(id.value))
  const item = computed(() => (known.value?.id === id.value ? known.value : null))

  const load = async (): Promise<void> => {
    const requestedId = id.value
    if (requestedId === '') return
    const reply = await client.request('library.summary', { id: requestedId })
    if (id.value !== requestedId) return
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) known.value = reply.data
    else if (reply.error.code === 'NOT_FOUND') known.value = null
  }
  watch(
    [id, listed],
    ([now, row], [before]) => {
      if (now !== before) failure.value = null
      if (row) known.value = row
      else if (now !== before) void load()
    },
    { immediate: true },
  )
  onScopeDispose(
    client.onEvent((event) => {
      if (event.type !== 'library.changed' || listed.value) return
      if (event.itemIds.length === 0 || event.itemIds.includes(id.value)) void load()
    }),
  )
  return { item, failure, load }
}
