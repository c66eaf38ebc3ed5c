import { computed, ref, watch } from 'vue'
import { createLatest } from '../../../kit/use-latest.ts'
import { useMatches } from '../../../kit/use-matches.ts'
import { isSamePlace, startAt, type Anchor, type FoundPlace } from './match-places.ts'

/** Maximum number of matches, more than anyone steps through; the search ends there. */
const maxPlaces = 10_000
/** Milliseconds without typing before the search starts. */
const quietMs = 120
/** Milliseconds to wait after the text changed. */
const changedMs = 500

/** Searched text: the parsed text, or the text in the file itself. */
export type FindSource = 'blocks' | 'file'

/** Options of the search in a document. */
interface FindOptions {
  /** Returns the text that can be searched now; null when there is none yet. */
  readonly source: () => FindSource | null
  /** Returns the matches of a query, beginning with those from a page on. */
  readonly places: (
    source: FindSource,
    query: string,
    first: number,
  ) => AsyncIterable<readonly FoundPlace[]>
  /** Returns the current page. */
  readonly page: () => number
  /** Changes whenever the searched text may have changed. */
  readonly changes: () => unknown
}

/** Search in the open document: all matches of a query, added while they are read, and the current one. */
export function useFindInDocument(options: FindOptions) {
  const query = ref('')
  const open = ref(false)
  const { places, current, index, step } = useMatches<FoundPlace>(isSamePlace)
  /** Whether more matches may be found. */
  const loading = ref(false)
  /** Whether there are more matches than are counted. */
  const cut = ref(false)
  const failed = ref(false)
  let anchor: Anchor | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const latest = createLatest()

  const counts = computed(() => {
    const byBlock = new Map<string, number>()
    const byPage = new Map<number, number>()
    for (const { blockId, page, highlightId } of places.value) {
      if (highlightId !== undefined) continue
      byPage.set(page, (byPage.get(page) ?? 0) + 1)
      if (blockId !== null) byBlock.set(blockId, (byBlock.get(blockId) ?? 0) + 1)
    }
    return { byBlock, byPage }
  })

  const stop = (): (() => boolean) => {
    clearTimeout(timer)
    loading.value = false
    return latest.start()
  }
  const forget = (): void => {
    places.value = []
    current.value = null
    cut.value = false
    failed.value = false
  }
  /** Reads all matches; the previous ones remain until the end when only the text has changed. */
  const ask = async (changed: boolean): Promise<void> => {
    const isLatest = stop()
    const text = query.value.trim()
    const source = options.source()
    const from = current.value ?? anchor ?? { page: options.page() }
    if (!changed || text === '' || source === null) forget()
    if (text === '' || source === null) return
    const ahead: FoundPlace[] = []
    const behind: FoundPlace[] = []
    const show = (over: boolean): void => {
      if (changed && !over) return
      places.value = [...behind, ...ahead]
      const selected = current.value
      if (selected && places.value.some((one) => isSamePlace(one, selected))) return
      const start = startAt(ahead, from)
      current.value = ahead[start] ?? (over ? (places.value[0] ?? null) : null)
    }
    loading.value = true
    let count = 0
    try {
      for await (const found of options.places(source, text, from.page)) {
        if (!isLatest()) return
        for (const place of found) (place.page < from.page ? behind : ahead).push(place)
        count += found.length
        if (found.length > 0) show(false)
        if (count >= maxPlaces) break
      }
    } catch {
      if (!isLatest()) return
      failed.value = true
    }
    if (!isLatest()) return
    loading.value = false
    cut.value = count >= maxPlaces
    show(true)
  }
  const soon = (ms: number, changed: boolean): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void ask(changed), ms)
  }
  watch(query, () => open.value && soon(quietMs, false))
  watch(
    () => options.source(),
    () => open.value && soon(0, false),
  )
  watch(options.changes, () => open.value && query.value.trim() !== '' && soon(changedMs, true))

  /** Opens the search near a position, immediately with a query if one is given. */
  const begin = (text: string, near: Anchor | null = null): void => {
    anchor = near
    open.value = true
    if (text === '') return
    if (near) current.value = null
    query.value = text
    soon(0, false)
  }
  const close = (): void => {
    stop()
    forget()
    anchor = null
    open.value = false
    query.value = ''
  }
  return {
    query,
    open,
    places,
    current,
    index,
    counts,
    loading,
    cut,
    failed,
    step,
    begin,
    close,
    stop,
  }
}
