import { computed, ref, shallowRef, watch } from 'vue'
import { isSamePlace, startAt, type Anchor, type FoundPlace } from './match-places.ts'

/** More places than anybody steps through; the search ends there. */
export const maxPlaces = 10_000
/** Pause in typing before it is looked for, in milliseconds. */
const quietMs = 120
/** Pause after the text changed, in milliseconds. */
const changedMs = 500

/** What is searched: the parsed text, or the text that the file itself carries. */
export type FindSource = 'blocks' | 'file'

/** What a search in a document needs. */
export interface FindOptions {
  /** What can be searched now; null when there is nothing yet. */
  readonly source: () => FindSource | null
  /** Places of a query, those from a page on first. */
  readonly places: (
    source: FindSource,
    query: string,
    first: number,
  ) => AsyncIterable<readonly FoundPlace[]>
  /** The page that is being read. */
  readonly page: () => number
  /** Changes whenever the searched text may have. */
  readonly changes: () => unknown
}

/** Search inside the opened document: all places of a query, growing while they are read, and the one the reader stands at. */
export function useFindInDocument(options: FindOptions) {
  const query = ref('')
  const open = ref(false)
  const places = shallowRef<readonly FoundPlace[]>([])
  const current = shallowRef<FoundPlace | null>(null)
  /** More may come. */
  const loading = ref(false)
  /** There are more than are counted. */
  const cut = ref(false)
  const failed = ref(false)
  let anchor: Anchor | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let turn = 0

  const index = computed(() => places.value.findIndex((one) => isSamePlace(one, current.value)))
  const counts = computed(() => {
    const byBlock = new Map<string, number>()
    const byPage = new Map<number, number>()
    for (const { blockId, page } of places.value) {
      byPage.set(page, (byPage.get(page) ?? 0) + 1)
      if (blockId !== null) byBlock.set(blockId, (byBlock.get(blockId) ?? 0) + 1)
    }
    return { byBlock, byPage }
  })

  const stop = (): number => {
    clearTimeout(timer)
    loading.value = false
    return ++turn
  }
  const forget = (): void => {
    places.value = []
    current.value = null
    cut.value = false
    failed.value = false
  }
  /** Reads all places; those of before stay until the end when the text alone has changed. */
  const ask = async (changed: boolean): Promise<void> => {
    const mine = stop()
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
        if (mine !== turn) return
        for (const place of found) (place.page < from.page ? behind : ahead).push(place)
        count += found.length
        if (found.length > 0) show(false)
        if (count >= maxPlaces) break
      }
    } catch {
      if (mine !== turn) return
      failed.value = true
    }
    if (mine !== turn) return
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

  const step = (by: 1 | -1): void => {
    const count = places.value.length
    if (count === 0) return
    const at = index.value < 0 ? (by > 0 ? -1 : 0) : index.value
    // The same place too: whoever asks for it wants to see it again.
    const place = places.value[(at + by + count) % count]
    current.value = place ? { ...place } : null
  }
  /** Opens the search, at once with a query where one is given, near a place. */
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
