import { computed, nextTick, onScopeDispose, ref, watch, type Ref } from 'vue'
import { findMatches } from '../../../kit/text-parts.ts'
import { readyLength } from './transcript-sentences.ts'

/** Announces a growing text sentence by sentence: put the returned text into a polite live region. */
export function useAnnouncements(live: Ref<string | null>) {
  const spoken = ref('')
  let spokenLength = 0
  watch(live, (text, before) => {
    if (text === null) {
      // Finished: also announce the rest that did not end with a full stop.
      const rest = (before ?? '').slice(spokenLength).trim()
      if (rest !== '') spoken.value = rest
      spokenLength = 0
      return
    }
    if (text.length < spokenLength) spokenLength = 0
    const ready = readyLength(text, false)
    if (ready <= spokenLength) return
    spoken.value = text.slice(spokenLength, ready).trim()
    spokenLength = ready
  })
  return spoken
}

/** Whole seconds until a time (Unix ms), counted down live; 0 once it is past, null when there is none. */
export function useSecondsLeft(until: () => number | null) {
  const now = ref(Date.now())
  let timer: ReturnType<typeof setInterval> | undefined
  const stop = (): void => clearInterval(timer)
  watch(
    until,
    (at) => {
      stop()
      now.value = Date.now()
      if (at !== null) timer = setInterval(() => (now.value = Date.now()), 250)
    },
    { immediate: true },
  )
  onScopeDispose(stop)
  return computed(() => {
    const at = until()
    return at === null ? null : Math.max(0, Math.ceil((at - now.value) / 1000))
  })
}

/** Steps through the matches of a query in a text; `scrollTo` brings the current one into view. */
export function useMatches(
  text: Ref<string>,
  query: Ref<string>,
  start: Ref<number>,
  scrollTo: () => void,
) {
  const ranges = computed(() => (query.value === '' ? [] : findMatches(text.value, query.value)))
  const current = ref(0)

  const show = async (): Promise<void> => {
    await nextTick()
    if (ranges.value.length > 0) scrollTo()
  }
  watch(
    [ranges, start],
    () => {
      const at = ranges.value.findIndex(([, end]) => end > start.value)
      current.value = Math.max(0, at)
      void show()
    },
    { immediate: true },
  )
  const step = (by: number): void => {
    const count = ranges.value.length
    if (count === 0) return
    current.value = (current.value + by + count) % count
    void show()
  }
  return { ranges, current, step }
}
