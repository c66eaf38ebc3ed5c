import { computed, reactive, ref, shallowRef, watch, type Ref } from 'vue'
import type { LineHit } from '../../../../../shared/contract/meetings.ts'
import type { LiteralOptions } from '../../../../../shared/text/literal.ts'
import type { Client } from '../../../lib/bridge/client.ts'
import { createLatest } from '../../../kit/use-latest.ts'

/** One match in a meeting. */
interface FoundPlace {
  readonly lineId: string
  readonly startMs: number
  readonly range: readonly [start: number, end: number]
}

/** Returns the matches of lines one by one, in order of time. */
export function foundPlaces(hits: readonly LineHit[]): readonly FoundPlace[] {
  return hits.flatMap(({ lineId, startMs, ranges }) =>
    ranges.map((range) => ({ lineId, startMs, range })),
  )
}

/** Pause in typing before the search starts, in milliseconds. */
const quietMs = 120

/** Where the current match is looked for: from the playhead, or in a line. */
interface Anchor {
  readonly lineId?: string
  readonly ms: number
  /** Offset in the line. */
  readonly from?: number
}

/**
 * Search inside the opened meeting: all matches of a query, and the current one. Matches that are to be replaced are those of
 * the literal text.
 */
export function useFind(client: Client, id: Ref<string | null>, changes: () => unknown) {
  const query = ref('')
  const open = ref(false)
  const replacing = ref(false)
  const literal = reactive<{ -readonly [N in keyof LiteralOptions]: boolean }>({
    matchCase: false,
    wholeWords: false,
  })
  const hits = shallowRef<readonly LineHit[]>([])
  /** Number of literal matches that run across two lines, and are not replaced. */
  const acrossLines = ref(0)
  const index = ref(0)
  /** The query of the last answer. */
  const answered = ref('')
  /** Where the search for the first match begins: the opened line, or the playhead. */
  let near: Anchor = { ms: 0 }
  let timer: ReturnType<typeof setTimeout> | undefined
  const latest = createLatest()

  const places = computed(() => foundPlaces(hits.value))
  const current = computed(() => places.value[index.value] ?? null)
  const byLine = computed(() => new Map(hits.value.map((hit) => [hit.lineId, hit.ranges])))

  const ask = async (at?: Anchor): Promise<void> => {
    clearTimeout(timer)
    const requestedId = id.value
    const text = query.value.trim()
    const isLatest = latest.start()
    if (requestedId === null || text === '') {
      hits.value = []
      acrossLines.value = 0
      return
    }
    const reply = await client.request('meetings.find', {
      id: requestedId,
      query: text,
      ...(replacing.value && { literal: { ...literal } }),
    })
    if (!isLatest()) return
    const { lineId, startMs: ms, range } = current.value ?? {}
    const before = lineId === undefined ? near : { lineId, ms: ms ?? 0, from: range?.[0] ?? 0 }
    const anchor = at ?? before
    hits.value = reply.ok ? reply.data.hits : []
    acrossLines.value = reply.ok ? reply.data.acrossLines : 0
    answered.value = reply.ok ? text : ''
    const isIn = (place: FoundPlace): boolean => place.lineId === anchor.lineId
    const found = [
      places.value.findIndex((place) => isIn(place) && place.range[0] >= (anchor.from ?? 0)),
      // After the last match of a line, the next line follows.
      places.value.findIndex((place) => place.startMs >= anchor.ms && !(at && isIn(place))),
    ].find((one) => one >= 0)
    index.value = found ?? 0
  }
  watch(query, () => {
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), quietMs)
  })
  // Matches found with other options must not be replaced with these.
  const restart = (): void => {
    answered.value = ''
    void ask()
  }
  watch([replacing, literal], restart, { flush: 'sync' })
  watch(changes, () => {
    if (!open.value || query.value.trim() === '') return
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), quietMs * 4)
  })
  const step = (by: number): void => {
    const count = places.value.length
    if (count > 0) index.value = (index.value + by + count) % count
  }
  /** Opens the search, immediately with a query if one is given. */
  const begin = (text: string, at: Anchor): void => {
    near = at
    open.value = true
    if (text === '') return
    query.value = text
    void ask()
  }
  const close = (): void => {
    clearTimeout(timer)
    latest.cancel()
    open.value = false
    replacing.value = false
    query.value = ''
    hits.value = []
    acrossLines.value = 0
    answered.value = ''
    index.value = 0
  }
  return {
    query,
    open,
    replacing,
    literal,
    answered,
    acrossLines,
    places,
    current,
    index,
    byLine,
    step,
    begin,
    /** Searches again, after a change of the text. */
    again: ask,
    close,
  }
}
