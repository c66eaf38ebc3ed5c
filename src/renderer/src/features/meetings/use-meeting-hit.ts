import { computed, watch } from 'vue'
import { useRoute } from 'vue-router'
import { useMeetingWorkspace } from './meeting-workspace-store.ts'
import { useMeeting } from './store.ts'

/** Follows the address of a link (`t`, in seconds) or of a search hit: the search is opened with its query, and the transcript goes to its line once that is read. */
export function useMeetingHit(): void {
  const route = useRoute()
  const store = useMeeting()
  const desk = useMeetingWorkspace()
  const query = computed(() => String(route.query['q'] ?? ''))
  const lineId = computed(() => String(route.query['line'] ?? ''))
  const seconds = computed(() => String(route.query['t'] ?? ''))
  let sought = ''
  let linked = ''
  /** The line of the hit, until the places in the meeting are known. */
  let opened = ''

  watch(
    [query, lineId, () => store.lineById] as const,
    ([text, id, known]) => {
      const asked = `${store.id} ${id} ${text}`
      if (text === '' || asked === sought) return
      const line = known.get(id)
      // Its page is still on the way.
      if (id !== '' && !line && !store.whole) return
      sought = asked
      if (line) desk.goTo(line.startMs)
      opened = id
      desk.find.begin(text, { lineId: id, ms: line?.startMs ?? 0 })
    },
    { immediate: true },
  )
  watch(
    [seconds, () => store.meeting?.id, () => desk.player !== null] as const,
    ([at, id]) => {
      const asked = `${id} ${at}`
      if (id !== store.id || !/^\d{1,7}$/.test(at) || asked === linked) return
      // Without sound there is no player to wait for.
      if (store.meeting?.hasSound === true && desk.player === null) return
      linked = asked
      desk.goTo(Number(at) * 1000)
    },
    { immediate: true },
  )
  watch(
    () => desk.find.places,
    (places) => {
      if (opened === '' || places.length === 0) return
      // The library finds words that stand in neighbouring lines: the reader goes where they are lit.
      const place = desk.find.current
      if (place && !desk.find.byLine.has(opened)) desk.goTo(place.startMs)
      opened = ''
    },
  )
}
