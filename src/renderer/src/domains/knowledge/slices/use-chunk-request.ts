import { computed, onScopeDispose, ref, shallowRef } from 'vue'
import { sourcesOf } from '../../../../../shared/chats/sources.ts'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { RawBody } from '../../../../../shared/model/raw-body.ts'
import type { ChunkRequestWhole } from '../../../../../shared/model/slices.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'

/** A chunk lookup, updated live, with its chunks as sources. */
export function useChunkRequest(id: string) {
  const client = useClient()
  const positionRequest = shallowRef<ChunkRequestWhole | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const raw = shallowRef<RawBody | null>(null)
  const rawState = ref<'unasked' | 'asking' | 'there'>('unasked')

  const load = async (): Promise<void> => {
    const reply = await client.request('slices.get', { id })
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) positionRequest.value = reply.data
  }
  const readRaw = async (): Promise<void> => {
    rawState.value = 'asking'
    const reply = await client.request('slices.raw', { id })
    raw.value = reply.ok ? reply.data.reply : null
    rawState.value = 'there'
  }
  const retryImages = async (): Promise<void> => {
    const reply = await client.request('slices.images', { id })
    if (reply.ok) positionRequest.value = reply.data
  }
  const sources = computed(() => {
    if (!positionRequest.value) return []
    const { requestId, nodeId, receivedAt, data } = positionRequest.value
    return sourcesOf({
      steps: [],
      text: '',
      slices: [{ requestId, nodeId, at: receivedAt ?? 0, data }],
    })
  })
  const images = computed(
    () => new Map((positionRequest.value?.images ?? []).map((image) => [image.url, image])),
  )
  void load()
  onScopeDispose(
    client.onEvent((event) => {
      if (event.type === 'slices.changed' && event.positionRequest.id === id) void load()
    }),
  )
  return { positionRequest, failure, raw, rawState, load, readRaw, retryImages, sources, images }
}
