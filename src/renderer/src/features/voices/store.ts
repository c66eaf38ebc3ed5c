import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { Voice, VoiceList } from '../../../../shared/model/voice.ts'
import { useClient } from '../../api/use-client.ts'

/** The voices of the active account: all that were ever listed, the service's answer where it gives one. */
export const useVoices = defineStore('voices', () => {
  const client = useClient()
  const list = shallowRef<VoiceList | null>(null)
  const state = ref<'idle' | 'loading' | 'ready' | 'failed'>('idle')
  const failure = shallowRef<Failure | null>(null)
  let asked = 0

  /** Shows what is kept at once, then what the service lists. */
  const load = async (): Promise<void> => {
    const mine = ++asked
    if (state.value === 'idle') state.value = 'loading'
    for (const from of ['kept', 'service'] as const) {
      const reply = await client.request('voices.list', { from })
      if (mine !== asked) return
      // An empty kept list says nothing as long as the service was not asked.
      if (reply.ok && from === 'kept' && reply.data.at === null) continue
      failure.value = reply.ok ? null : reply.error
      state.value = reply.ok ? 'ready' : 'failed'
      if (reply.ok) list.value = reply.data
    }
  }
  const find = (voice: string): Voice | undefined =>
    list.value?.voices.find((one) => one.voice === voice)

  client.onEvent((event) => {
    if (event.type === 'accounts.changed' && state.value !== 'idle') void load()
  })
  return {
    list,
    /** Every voice of the active account, those of the service first. */
    voices: computed(() => list.value?.voices ?? []),
    state,
    failure,
    load,
    find,
  }
})
