import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import { callerId, useClient } from '../../api/use-client.ts'

/** Milliseconds after which an export is worth showing. */
const longMs = 1000

/** A copy that takes long. */
export interface LongSave {
  readonly callId: string
  /** The name that the user chose. */
  readonly name: string
  /** How much is written, 0 to 1. */
  readonly fraction: number
}

/** Exports and copies under way, whichever view asked for them: those that take long are shown, and copies can be cancelled. */
export const useSaves = defineStore('saves', () => {
  const client = useClient()
  const long = shallowRef<readonly LongSave[]>([])
  const running = new Set<string>()
  /** Exports that have been prepared for longer than {@link longMs}. */
  const longExports = ref(0)

  client.onEvent((event) => {
    if (event.type !== 'save.progress' || !running.has(event.callId)) return
    const { callId, name, fraction } = event
    const others = long.value.filter((save) => save.callId !== callId)
    long.value = [...others, { callId, name, fraction }]
  })
  /** Runs the work that makes the file of an export. */
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
  /** Runs a save under an ID of its own, which its progress events carry and by which it is cancelled. */
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
