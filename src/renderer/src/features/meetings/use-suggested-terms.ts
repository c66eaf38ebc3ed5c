import { computed, ref, shallowRef, watch } from 'vue'
import { useClient } from '../../api/use-client.ts'
import { useMeeting } from './store.ts'

/** Suggestions are asked for this long after the last change, in milliseconds. */
const quietMs = 1500
/** Suggestions shown at a time, best first. */
const maxTerms = 8

/** Words for the engine that the corrections of the opened meeting suggest. */
export function useSuggestedTerms() {
  const client = useClient()
  const store = useMeeting()
  const words = shallowRef<readonly string[]>([])
  const requestedId = ref<string | null>(null)
  let turn = 0

  const ask = async (): Promise<void> => {
    const id = store.id
    const mine = ++turn
    requestedId.value = id
    if (id === null) return
    const reply = await client.request('meetings.learn', { id })
    if (mine === turn && reply.ok) words.value = reply.data.words.slice(0, maxTerms)
  }
  /** Corrections of the page's lines by their words: only these can bring other suggestions. */
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
