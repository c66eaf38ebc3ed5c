import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import {
  isAutomatic,
  type SemanticChoice,
  type SemanticIndex,
} from '../../../../../shared/model/semantic.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** Milliseconds between two checks for new content, while items or indexes change. */
const pauseMs = 400

/** Indexes of the Library, last used first; updated live once loaded. */
export const useSemantic = defineStore('semantic', () => {
  const client = useClient()
  const indexes = shallowRef<readonly SemanticIndex[]>([])
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  const actionFailure = shallowRef<Failure | null>(null)
  let timer: ReturnType<typeof setTimeout> | undefined
  const latest = createLatest()

  const load = async (): Promise<void> => {
    const isLatest = latest.start()
    if (state.value === 'idle') state.value = 'loading'
    const reply = await client.request('semantic.indexes', {})
    if (!isLatest()) return
    failure.value = reply.ok ? null : reply.error
    if (reply.ok) indexes.value = reply.data
    if (reply.ok || state.value !== 'ready') state.value = reply.ok ? 'ready' : 'failed'
  }
  const soon = (): void => {
    if (state.value === 'idle' || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      void load()
    }, pauseMs)
  }
  const act = async <T>(pending: Promise<Reply<T>>): Promise<T | null> => {
    const reply = await pending
    actionFailure.value = reply.ok ? null : reply.error
    await load()
    return reply.ok ? reply.data : null
  }

  client.onEvent((event) => {
    if (event.type === 'semantic.progress') {
      // Not requested: main would count the new items of the whole library.
      const { type: _, ...progress } = event
      indexes.value = indexes.value.map((index) =>
        index.id === progress.id ? { ...index, ...progress } : index,
      )
    }
    // What the user has indexed is shown with all other activity, also if another page started it.
    else if (event.type === 'semantic.changed' && state.value === 'idle') {
      if (!event.isAutomatic) void load()
    } else if (event.type === 'semantic.changed' || event.type === 'library.changed') soon()
  })
  return {
    indexes,
    /** Indexes that are running, waiting, or need attention, except for the automatic one. */
    open: computed(() =>
      indexes.value.filter(
        (index) => index.state !== 'idle' && index.waiting > 0 && !isAutomatic(index),
      ),
    ),
    state,
    failure,
    actionFailure,
    load,
    byId: (id: number): SemanticIndex | null =>
      indexes.value.find((index) => index.id === id) ?? null,
    begin: ({ kinds, ...choice }: SemanticChoice) =>
      act(client.request('semantic.begin', { ...request(choice), kinds: [...kinds] })),
    keepUp: () => act(client.request('semantic.keepUp', {})),
    resume: (id: number) => act(client.request('semantic.resume', { id })),
    pause: (id: number) => act(client.request('semantic.pause', { id })),
    stop: (id: number) => act(client.request('semantic.stop', { id })),
    remove: (id: number) => act(client.request('semantic.remove', { id })),
    plan: ({ kinds, ...choice }: SemanticChoice) =>
      client.request('semantic.plan', { ...request(choice), kinds: [...kinds] }),
  }
})

/** Supported numbers of dimensions. */
export type Dimensions = 2048 | 1024 | 512 | 256

/** Converts a choice to a request; unsupported numbers of dimensions are dropped. */
const request = ({ accountId, model, dimensions, since }: Omit<SemanticChoice, 'kinds'>) => ({
  accountId,
  model,
  dimensions: dimensions as Dimensions,
  since,
})
