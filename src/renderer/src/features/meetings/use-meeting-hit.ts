import { computed, watch } from 'vue'
import { useRoute } from 'vue-router'
import { useMeetingWorkspace } from './meeting-workspace-store.ts'
import { useMeeting } from './store.ts'

/** Follows the address of a link (`t`, in seconds) or of a search hit: the search is opened with its query, and the transcript goes to its line once that is read. */
export function useMeetingHit(): void {
  const route = useRoute()
  const store = useMeeting()
  const workspace = useMeetingWorkspace()
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
      const requestKey = `${store.id} ${id} ${text}`
      if (text === '' || requestKey === sought) return
      const line = known.get(id)
      // Its page is still on the way.
      if (id !== '' && !line && !store.whole) return
      sought = requestKey
      if (line) workspace.goTo(line.startMs)
      opened = id
      workspace.find.begin(text, { lineId: id, ms: line?.startMs ?? 0 })
    },
    { immediate: true },
  )
  watch(
    [seconds, () => store.meeting?.id, () => workspace.player !== null] as const,
    ([at, id]) => {
      const requestKey = `${id} ${at}`
      if (id !== store.id || !/^\d{1,7}$/.test(at) || requestKey === linked) return
      // Without sound there is no player to wait for.
      if (store.meeting?.hasAudio === true && workspace.player === null) return
      linked = requestKey
      workspace.goTo(Number(at) * 1000)
    },
    { immediate: true },
  )
  watch(
    () => workspace.find.places,
    (places) => {
      if (opened === '' || places.length === 0) return
      // The library finds words that stand in neighbouring lines: the reader goes where they are lit.
      const place = workspace.find.current
      if (place && !workspace.find.byLine.has(opened)) workspace.goTo(place.startMs)
      opened = ''
    },
  )
}
