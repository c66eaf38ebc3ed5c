import { computed, ref, shallowRef, watch } from 'vue'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { useMeeting } from './meetings-store.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** Delay after the last change before suggestions are requested, in milliseconds. */
const quietMs = 1500
/** Maximum number of suggestions shown, best first. */
const maxTerms = 8

/** Custom vocabulary terms suggested by the corrections of the opened meeting. */
export function useSuggestedTerms() {
  const client = useClient()
  const store = useMeeting()
  const words = shallowRef<readonly string[]>([])
  const requestedId = ref<string | null>(null)
  const latest = createLatest()

  const ask = async (): Promise<void> => {
    const id = store.id
    const isLatest = latest.start()
    requestedId.value = id
    if (id === null) return
    const reply = await client.request('meetings.learn', { id })
    if (isLatest() && reply.ok) words.value = reply.data.words.slice(0, maxTerms)
  }
  /** Text of corrected lines: only these can change the suggestions. */
  const corrected = computed(() =>
    store.lines
      .filter(({ edited }) => edited)
      .map(({ text }) => text)
      .join('\n'),
  )
  watch(
    [() => store.id, corrected, () => store.meeting?.hotwords],
    ([id], _before, onCleanup) => {
      if (id !== requestedId.value) {
        words.value = []
        void ask()
        return
      }
      const timer = setTimeout(() => void ask(), quietMs)
      onCleanup(() => clearTimeout(timer))
    },
    { immediate: true },
  )
  return words
}
