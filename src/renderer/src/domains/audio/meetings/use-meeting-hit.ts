import { computed, watch } from 'vue'
import { useRoute, type RouteLocation } from 'vue-router'
import { useMeetingWorkspace } from './meeting-workspace-store.ts'
import { useMeeting } from './meetings-store.ts'

/** Words of a search that found the notes or a summary of a meeting, from the URL. */
export const soughtWords = (route: RouteLocation): string =>
  typeof route.query['words'] === 'string' ? route.query['words'] : ''

/**
 * Follows a link (`t`, in seconds; `play` plays from there) or a search result in the URL: opens the search with its query, and
 * scrolls the transcript to its line once loaded. A result in a summary or in the notes shows these.
 */
export function useMeetingHit(): void {
  const route = useRoute()
  const store = useMeeting()
  const workspace = useMeetingWorkspace()
  const query = computed(() => String(route.query['q'] ?? ''))
  // Links to recordings named a transcript, whose line has its ID.
  const lineId = computed(() => String(route.query['line'] ?? route.query['part'] ?? ''))
  const seconds = computed(() => String(route.query['t'] ?? ''))
  let sought = ''
  let linked = ''
  /** The line of the search result, until the matches in the meeting are known. */
  let opened = ''

  watch(
    [query, lineId, () => store.lineById] as const,
    ([text, id, known]) => {
      const requestKey = `${store.id} ${id} ${text}`
      if (text === '' || requestKey === sought) return
      const line = known.get(id)
      // Its page is still loading.
      if (id !== '' && !line && !store.whole) return
      sought = requestKey
      if (line) workspace.goTo(line.startMs)
      opened = id
      workspace.find.begin(text, { lineId: id, ms: line?.startMs ?? 0 })
    },
    { immediate: true },
  )
  watch(
    [() => route.query['summary'], () => 'notes' in route.query, () => store.meeting?.id] as const,
    ([summary, isInNotes, id]) => {
      if (id !== store.id) return
      if (typeof summary === 'string') workspace.part = 'summary'
      if (isInNotes) workspace.showDetails()
    },
    { immediate: true },
  )
  /** Whether the lines at a moment are loaded. */
  const isLoaded = (ms: number): boolean =>
    store.whole || (store.lines.at(-1)?.startMs ?? 0) > ms + 1000
  watch(
    [
      seconds,
      () => store.meeting?.id,
      () => workspace.player !== null,
      () => isLoaded(Number(seconds.value) * 1000),
    ] as const,
    ([at, id, , loaded]) => {
      const requestKey = `${id} ${at}`
      if (id !== store.id || !/^\d{1,7}$/.test(at) || requestKey === linked) return
      // Without audio there is no player to wait for.
      if (store.meeting?.hasAudio === true && workspace.player === null) return
      if (!loaded) return
      linked = requestKey
      const ms = Number(at) * 1000
      // Links and citations name the second in which a line begins.
      const line = store.lines.find(({ startMs }) => startMs >= ms && startMs < ms + 1000)
      workspace.goTo(line?.startMs ?? ms)
      if ('play' in route.query) workspace.player?.play()
    },
    { immediate: true },
  )
  watch(
    () => [workspace.find.places, workspace.find.answered] as const,
    ([places, answered]) => {
      if (opened === '' || (places.length === 0 && answered !== query.value.trim())) return
      // The words are in an earlier version of the line.
      if (places.length === 0 && store.lineById.has(opened)) {
        workspace.select(opened)
        workspace.showVersions()
      }
      // The library finds words across neighboring lines: go to where they are highlighted.
      const place = workspace.find.current
      if (place && !workspace.find.byLine.has(opened)) workspace.goTo(place.startMs)
      opened = ''
    },
  )
}
