import { computed, ref, shallowRef, watch, type Ref } from 'vue'
import type { LineHit } from '../../../../../shared/contract/meetings.ts'
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

/** Search inside the opened meeting: all matches of a query, and the current one. */
export function useFind(client: Client, id: Ref<string | null>, changes: () => unknown) {
  const query = ref('')
  const open = ref(false)
  const hits = shallowRef<readonly LineHit[]>([])
  const index = ref(0)
  /** The query of the last answer. */
  const answered = ref('')
  /** Where the search for the first match begins: the opened line, or the playhead. */
  let near: { readonly lineId?: string; readonly ms: number } = { ms: 0 }
  let timer: ReturnType<typeof setTimeout> | undefined
  const latest = createLatest()

  const places = computed(() => foundPlaces(hits.value))
  const current = computed(() => places.value[index.value] ?? null)
  const byLine = computed(() => new Map(hits.value.map((hit) => [hit.lineId, hit.ranges])))

  const ask = async (): Promise<void> => {
    const requestedId = id.value
    const text = query.value.trim()
    const isLatest = latest.start()
    if (requestedId === null || text === '') {
      hits.value = []
      return
    }
    const reply = await client.request('meetings.find', { id: requestedId, query: text })
    if (!isLatest()) return
    const before = current.value
    hits.value = reply.ok ? reply.data.hits : []
    answered.value = reply.ok ? text : ''
    const anchor = before ?? { lineId: near.lineId ?? '', startMs: near.ms }
    const same = places.value.findIndex(({ lineId }) => lineId === anchor.lineId)
    const next = places.value.findIndex(({ startMs }) => startMs >= anchor.startMs)
    index.value = Math.max(0, same >= 0 ? same : next)
  }
  watch(query, () => {
    clearTimeout(timer)
    timer = setTimeout(() => void ask(), quietMs)
  })
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
  const begin = (text: string, at: typeof near): void => {
    near = at
    open.value = true
    if (text === '') return
    query.value = text
    clearTimeout(timer)
    void ask()
  }
  const close = (): void => {
    clearTimeout(timer)
    latest.cancel()
    open.value = false
    query.value = ''
    hits.value = []
    answered.value = ''
    index.value = 0
  }
  return { query, open, answered, places, current, index, byLine, step, begin, close }
}
