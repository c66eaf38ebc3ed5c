import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import type { Voice, VoiceList } from '../../../../../shared/model/voice.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** The voices of the active account: all that were ever listed, or the provider's response if there is one. */
export const useVoices = defineStore('voices', () => {
  const client = useClient()
  const list = shallowRef<VoiceList | null>(null)
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  /** Whether a request to the provider is running. */
  const requesting = ref(false)
  /** Search results for a name, with that name. */
  const found = shallowRef<{ readonly name: string; readonly voices: readonly string[] } | null>(
    null,
  )
  const latest = createLatest()

  const take = (next: VoiceList): void => {
    list.value = next
    state.value = 'ready'
    failure.value = null
  }
  /** Shows the saved list at once, then the provider's. */
  const load = async (): Promise<void> => {
    const isLatest = latest.start()
    if (state.value === 'idle') state.value = 'loading'
    requesting.value = true
    for (const from of ['kept', 'service'] as const) {
      const reply = await client.request('voices.list', { from })
      if (!isLatest()) return
      // An empty saved list means nothing before the provider was called.
      if (reply.ok && from === 'kept' && reply.data.at === null) continue
      if (reply.ok) take(reply.data)
      else {
        failure.value = reply.error
        if (list.value === null) state.value = 'failed'
      }
    }
    requesting.value = false
  }
  const reload = async (): Promise<void> => {
    const isLatest = latest.current()
    const reply = await client.request('voices.list', { from: 'kept' })
    // Keep showing the reason why the list is the saved one.
    if (isLatest() && reply.ok && list.value) take({ ...reply.data, failure: list.value.failure })
  }
  /** Searches the provider for similar names; failures are ignored. */
  const search = async (name: string): Promise<void> => {
    if (name === '') {
      found.value = null
      return
    }
    const isLatest = latest.current()
    const reply = await client.request('voices.list', { from: 'service', name })
    if (!isLatest() || !reply.ok || reply.data.found === null) return
    found.value = { name, voices: reply.data.found }
    take({ ...reply.data, failure: list.value?.failure ?? null })
  }
  const find = (voice: string): Voice | undefined =>
    list.value?.voices.find((one) => one.voice === voice)
  const put = (voice: Voice): void => {
    if (!list.value) return
    const voices = list.value.voices.map((one) => (one.voice === voice.voice ? voice : one))
    list.value = { ...list.value, voices }
  }
  /** Gets the audio of a voice: the provider's preview, or the text synthesized with it. */
  const preview = async (voice: Voice, text?: string): Promise<Failure | null> => {
    const reply = await client.request('voices.preview', {
      accountId: voice.accountId,
      voice: voice.voice,
      ...(text !== undefined && { text }),
    })
    if (!reply.ok) return reply.error
    put(reply.data)
    return null
  }
  /** Deletes it at the provider. */
  const remove = async (voice: Voice): Promise<Failure | null> => {
    const { accountId, voice: id } = voice
    const reply = await client.request('voices.remove', { accountId, voice: id })
    if (!reply.ok) return reply.error
    put(reply.data)
    return null
  }

  client.onEvent((event) => {
    if (state.value === 'idle') return
    if (event.type === 'accounts.changed') {
      list.value = null
      found.value = null
      state.value = 'idle'
      void load()
    }
    if (event.type === 'voices.changed' && event.accountId === list.value?.accountId) void reload()
  })
  return {
    list,
    /** All voices of the active account, the provider's first. */
    voices: computed(() => list.value?.voices ?? []),
    state,
    failure,
    requesting,
    found,
    load,
    search,
    find,
    preview,
    remove,
  }
})
