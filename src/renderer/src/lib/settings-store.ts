import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { NetworkChange } from '../../../shared/contract/network.ts'
import type { Failure, Reply } from '../../../shared/contract/reply.ts'
import type { RequestOf } from '../../../shared/contract/routes.ts'
import type { Settings, SettingsPatch } from '../../../shared/contract/settings.ts'
import { useClient } from './bridge/use-client.ts'

type NetworkRoute = 'network.setProxy' | 'network.addCertificates' | 'network.removeCertificates'

/** The user's settings; null until they are received from main. */
export const useSettings = defineStore('settings', () => {
  const client = useClient()
  /** The settings stored by main, and changes it has not confirmed yet. */
  const saved = shallowRef<Settings | null>(null)
  const pending = shallowRef<readonly SettingsPatch[]>([])
  const settings = computed((): Settings | null => {
    const now = saved.value
    return (
      now &&
      pending.value.reduce<Settings>(
        (all, patch) => ({ ...all, ...(patch as Partial<Settings>) }),
        now,
      )
    )
  })
  const failure = ref<Failure | null>(null)
  let lastTurn = 0
  let answered = 0

  /** Replies may be received out of order: an older one is ignored after a newer one. */
  const take = (turn: number, next: Settings): void => {
    if (turn < answered) return
    answered = turn
    saved.value = next
  }
  const load = async (): Promise<void> => {
    const turn = ++lastTurn
    const reply = await client.request('settings.get', {})
    if (reply.ok) take(turn, reply.data)
    else failure.value = reply.error
  }

  /** Shows the change at once; reverts only this change when main refuses it. Returns whether it was saved. */
  const update = async (patch: SettingsPatch): Promise<boolean> => {
    const turn = ++lastTurn
    // A separate object: the same change may be pending twice.
    const change = { ...patch }
    pending.value = [...pending.value, change]
    const reply = await client.request('settings.update', patch)
    if (reply.ok) take(turn, reply.data)
    pending.value = pending.value.filter((one) => one !== change)
    failure.value = reply.ok ? null : reply.error
    return reply.ok
  }

  /** Requests a change that main has the user confirm outside of the page; null when it failed. */
  const changeNetwork = async <Name extends NetworkRoute>(
    name: Name,
    request: RequestOf<Name>,
  ): Promise<NetworkChange['outcome'] | null> => {
    const reply: Reply<NetworkChange> = await client.request(name, request)
    failure.value = reply.ok ? null : reply.error
    if (!reply.ok) return null
    take(++lastTurn, reply.data.settings)
    return reply.data.outcome
  }

  client.onEvent((event) => {
    if (event.type !== 'settings.changed') return
    if (event.settings) take(++lastTurn, event.settings)
    else void load()
  })
  return { settings, saved, failure, load, update, changeNetwork }
})
