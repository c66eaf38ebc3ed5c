import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { Failure } from '../../../../shared/contract/reply.ts'
import type { UpdateState } from '../../../../shared/model/updates.ts'
import { useClient } from '../../lib/bridge/use-client.ts'

type Action =
  | 'updates.check'
  | 'updates.download'
  | 'updates.cancel'
  | 'updates.install'
  | 'updates.rollBack'

/** New versions of Lectern: update state from main, and the user's actions. */
export const useUpdates = defineStore('updates', () => {
  const client = useClient()
  const state = shallowRef<UpdateState | null>(null)
  /** Failure of the last request to main. */
  const refusal = ref<Failure | null>(null)
  /** Version and stage that the user postponed until the next start. */
  const putOff = ref('')

  const load = async (): Promise<void> => {
    const reply = await client.request('updates.state', {})
    if (reply.ok) state.value = reply.data
  }
  const act = async (action: Action): Promise<void> => {
    const reply = await client.request(action, {})
    refusal.value = reply.ok ? null : reply.error
    if (reply.ok) state.value = reply.data
  }
  const placeOf = ({ stage, update }: UpdateState): string => `${update?.version ?? ''} ${stage}`

  /** Whether to show the notice: there is an action for a version that the user did not dismiss. */
  const isNoticed = computed(() => {
    const now = state.value
    if (now?.failure?.step === 'roll-back') return putOff.value !== placeOf(now)
    if (!now?.update || now.update.quiet || putOff.value === placeOf(now)) return false
    if (now.stage === 'failed') return now.failure !== null && now.failure.step !== 'check'
    return ['available', 'downloading', 'ready', 'installing'].includes(now.stage)
  })
  const later = (): void => {
    if (state.value) putOff.value = placeOf(state.value)
  }
  /** Retries the step that failed. */
  const retry = (): Promise<void> => {
    const { failure, update } = state.value ?? {}
    if (failure?.step === 'download') return act('updates.download')
    if (failure?.step === 'install' && update) return act('updates.install')
    return failure?.step === 'roll-back' ? act('updates.rollBack') : act('updates.check')
  }

  client.onEvent((event) => {
    if (event.type === 'updates.changed') state.value = event.state
  })
  return { state, refusal, isNoticed, load, act, later, retry }
})
