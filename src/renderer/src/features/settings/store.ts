import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure } from '../../../../shared/bridge/reply.ts'
import type { SettingsPatch } from '../../../../shared/bridge/settings.ts'
import type { Settings } from '../../../../shared/model/settings.ts'
import { useClient } from '../../api/use-client.ts'

/** The user's choices; null until main has told them. */
export const useSettings = defineStore('settings', () => {
  const client = useClient()
  const settings = shallowRef<Settings | null>(null)
  const failure = ref<Failure | null>(null)

  const load = async (): Promise<void> => {
    const reply = await client.request('settings.get', {})
    if (reply.ok) settings.value = reply.data
    else failure.value = reply.error
  }

  /** Shows the change at once; takes it back when main refuses. Returns whether it was kept. */
  const update = async (patch: SettingsPatch): Promise<boolean> => {
    const before = settings.value
    if (before) settings.value = { ...before, ...(patch as Partial<Settings>) }
    const reply = await client.request('settings.update', patch)
    failure.value = reply.ok ? null : reply.error
    settings.value = reply.ok ? reply.data : before
    return reply.ok
  }

  client.onEvent((event) => {
    if (event.type === 'settings.changed') void load()
  })
  return { settings, failure, load, update }
})
