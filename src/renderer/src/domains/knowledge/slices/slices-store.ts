import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ChunkRequest, ChunkRequestWhole } from '../../../../../shared/model/slices.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { mapped, usePagedList } from '../../../kit/use-paged-list.ts'
import { useUndo } from '../../../kit/use-undo.ts'

/** Lookups of citation positions (service-notes 11), newest first, and requesting new ones. */
export const useSlices = defineStore('slices', () => {
  const client = useClient()
  const undo = useUndo()
  const requesting = ref(false)
  /** Why the last lookup failed. */
  const refused = shallowRef<Failure | null>(null)
  const query = ref('')
  const {
    rows: positionRequests,
    state,
    failure,
    load,
    more,
  } = usePagedList<ChunkRequest, string>({
    pageSize: 100,
    maxReload: 200,
    request: async ({ cursor, limit }) =>
      mapped(
        await client.request('slices.list', {
          query: query.value,
          limit,
          ...(cursor !== null && { before: cursor }),
        }),
        (page) => ({ rows: page.positionRequests, next: page.next }),
      ),
  })

  /** Lists those that contain these words, of any age. */
  const search = (words: string): Promise<void> => {
    query.value = words
    positionRequests.value = []
    return load()
  }
  /** Requests the chunks of two IDs; null on failure. */
  const ask = async (
    ids: { readonly requestId: string; readonly nodeId: string },
    accountId?: string,
  ): Promise<ChunkRequestWhole | null> => {
    if (requesting.value) return null
    requesting.value = true
    const reply = await client.request('slices.request', {
      ...ids,
      ...(accountId !== undefined && { accountId }),
    })
    requesting.value = false
    refused.value = reply.ok ? null : reply.error
    return reply.ok ? reply.data : null
  }
  const remove = async (ids: readonly string[]): Promise<void> => {
    positionRequests.value = positionRequests.value.filter(({ id }) => !ids.includes(id))
    const reply = await client.request('slices.remove', { ids: [...ids] })
    if (!reply.ok) {
      failure.value = reply.error
      return
    }
    undo('slices.removed', ids, () =>
      client.request('slices.restore', { ids: [...ids] }).then(load),
    )
  }
  client.onEvent((event) => {
    if (event.type !== 'slices.changed' || state.value === 'idle') return
    const { positionRequest } = event
    if (positionRequests.value.some(({ id }) => id === positionRequest.id))
      positionRequests.value = positionRequests.value.map((one) =>
        one.id === positionRequest.id ? positionRequest : one,
      )
    else if (positionRequest.state === 'asking' || positionRequest.receivedAt !== null) void load()
  })
  return {
    positionRequests,
    query,
    state,
    failure,
    requesting,
    refused,
    load,
    more,
    search,
    ask,
    remove,
  }
})
