import { defineStore } from 'pinia'
import { shallowRef } from 'vue'
import { callerId, useClient } from '../../../lib/bridge/use-client.ts'

/** A copy that takes long. */
interface LongSave {
  readonly callId: string
  /** File name that the user chose. */
  readonly name: string
  /** Written fraction, 0 to 1. */
  readonly fraction: number
}

/** Running copies of all views: those that take long are shown, and can be canceled. */
export const useSaves = defineStore('saves', () => {
  const client = useClient()
  const long = shallowRef<readonly LongSave[]>([])
  const running = new Set<string>()

  client.onEvent((event) => {
    if (event.type !== 'save.progress' || !running.has(event.callId)) return
    const { callId, name, fraction } = event
    const others = long.value.filter((save) => save.callId !== callId)
    long.value = [...others, { callId, name, fraction }]
  })
  /** Runs a save with its own ID, which its progress events contain and which cancels it. */
  async function run<T>(save: (callId: string) => Promise<T>): Promise<T> {
    const callId = callerId()
    running.add(callId)
    try {
      return await save(callId)
    } finally {
      running.delete(callId)
      long.value = long.value.filter((one) => one.callId !== callId)
    }
  }
  const cancel = (callId: string): void => {
    void client.request('streams.cancel', { callId })
  }
  return { long, run, cancel }
})
