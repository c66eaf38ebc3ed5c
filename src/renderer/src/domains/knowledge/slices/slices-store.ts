import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { ChunkRequest, ChunkRequestWhole } from '../../../../../shared/model/slices.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useUndo } from '../../../kit/use-undo.ts'

/** Lookups of citation positions (service-notes 11), newest first, and requesting new ones. */
export const useSlices = defineStore('slices', () => {
  const client = useClient()
  const undo = useUndo()
  const positionRequests = shallowRef<readonly ChunkRequest[]>([])
  const next = ref<string | null>(null)
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  const requesting = ref(false)
  /** Why the last lookup failed. */
  const refused = shallowRef<Failure | null>(null)
  const query = ref('')
  let turn = 0
  let growing = false

  const load = async (): Promise<void> => {
    const mine = ++turn
    growing = false
    if (state.value === 'idle') state.value = 'loading'
    const limit = Math.min(200, Math.max(100, positionRequests.value.length))
    const reply = await client.request('slices.list', { query: query.value, limit })
    if (mine !== turn) return
    failure.value = reply.ok ? null : reply.error
    state.value = reply.ok ? 'ready' : 'failed'
    if (!reply.ok) return
    positionRequests.value = reply.data.positionRequests
    next.value = reply.data.next
  }
  const more = async (): Promise<void> => {
    if (growing || next.value === null) return
    growing = true
    const mine = turn
    const reply = await client.request('slices.list', { query: query.value, before: next.value })
    if (mine !== turn) return
    growing = false
    if (!reply.ok) return
    positionRequests.value = [...positionRequests.value, ...reply.data.positionRequests]
    next.value = reply.data.next
  }
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
