import { computed, onScopeDispose, ref, shallowRef } from 'vue'
import { sourcesOf } from '../../../../shared/chat/sources.ts'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { RawBody } from '../../../../shared/model/raw-body.ts'
import type { ChunkRequestWhole } from '../../../../shared/model/slices.ts'
import { useClient } from '../../api/use-client.ts'

/** A look for slices, live, with its slices as sources. */
export function useChunkRequest(id: string) {
  const client = useClient()
  const look = shallowRef<ChunkRequestWhole | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const raw = shallowRef<RawBody | null>(null)
  const rawState = ref<'unasked' | 'asking' | 'there'>('unasked')

  const load = async (): Promise<void> => {
    const reply = await client.request('slices.get', { id })
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) look.value = reply.data
  }
  const readRaw = async (): Promise<void> => {
    rawState.value = 'asking'
    const reply = await client.request('slices.raw', { id })
    raw.value = reply.ok ? reply.data.reply : null
    rawState.value = 'there'
  }
  const retryPictures = async (): Promise<void> => {
    const reply = await client.request('slices.pictures', { id })
    if (reply.ok) look.value = reply.data
  }
  const sources = computed(() => {
    if (!look.value) return []
    const { requestId, nodeId, cameAt, data } = look.value
    return sourcesOf({
      steps: [],
      text: '',
      slices: [{ requestId, nodeId, at: cameAt ?? 0, data }],
    })
  })
  const pictures = computed(
    () => new Map((look.value?.pictures ?? []).map((picture) => [picture.url, picture])),
  )
  void load()
  onScopeDispose(
    client.onEvent((event) => {
      if (event.type === 'slices.changed' && event.lookup.id === id) void load()
    }),
  )
  return { look, failure, raw, rawState, load, readRaw, retryPictures, sources, pictures }
}
