import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { callerId, useClient } from '../../../lib/bridge/use-client.ts'

/** Milliseconds after which an export is shown. */
const longMs = 1000

/** A copy that takes long. */
interface LongSave {
  readonly callId: string
  /** File name that the user chose. */
  readonly name: string
  /** Written fraction, 0 to 1. */
  readonly fraction: number
}

/** Running exports and copies of all views: those that take long are shown, and copies can be canceled. */
export const useSaves = defineStore('saves', () => {
  const client = useClient()
  const long = shallowRef<readonly LongSave[]>([])
  const running = new Set<string>()
  /** Number of exports in preparation for longer than {@link longMs}. */
  const longExports = ref(0)

  client.onEvent((event) => {
    if (event.type !== 'save.progress' || !running.has(event.callId)) return
    const { callId, name, fraction } = event
    const others = long.value.filter((save) => save.callId !== callId)
    long.value = [...others, { callId, name, fraction }]
  })
  /** Runs the work that creates the file of an export. */
  async function prepare<T>(work: () => Promise<T>): Promise<T> {
    let counted = 0
    const timer = setTimeout(() => (longExports.value += counted = 1), longMs)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      longExports.value -= counted
    }
  }
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
  return { long, longExports, prepare, run, cancel }
})
