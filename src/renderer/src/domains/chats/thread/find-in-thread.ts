import { computed, ref, watch } from 'vue'
import type { ReplyOf } from '../../../../../shared/contract/routes.ts'
import { createLatest } from '../../../kit/use-latest.ts'
import { useMatches } from '../../../kit/use-matches.ts'

/** A match on the shown branch; `offset` and `length` in UTF-16 units of the message's text. */
export type ThreadPlace = ReplyOf<'chats.find'>['places'][number]

/** Milliseconds without typing before the search starts. */
const quietMs = 120
/** Milliseconds to wait after the text changed. */
const changedMs = 700

/** Options of the search in a chat. */
interface ThreadFindOptions {
  /** Finds every match of a query in the order of the branch; null when it cannot be searched. */
  readonly places: (query: string) => Promise<ReplyOf<'chats.find'> | null>
  /** Returns the depth of a message in the branch; null when it is not loaded. */
  readonly depthOf: (messageId: string) => number | null
  /** Returns the depth of the message that is being read. */
  readonly readingDepth: () => number
  /** Changes whenever the searched text may have changed. */
  readonly changes: () => unknown
}

const isSame = (one: ThreadPlace, other: ThreadPlace | null): boolean =>
  one.messageId === other?.messageId && one.offset === other.offset

/**
 * Search in the open chat: all matches of a query on the shown branch, loaded or not, and the current one.
 */
export function useFindInThread(options: ThreadFindOptions) {
  const query = ref('')
  const open = ref(false)
  const { places, current, index, step } = useMatches<ThreadPlace>(isSame)
  const searching = ref(false)
  /** Whether there are more matches than were returned. */
  const more = ref(false)
  const failed = ref(false)
  let anchor: string | null = null
  /** Query that was passed instead of typed: it is already being searched. */
  let given: string | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  const latest = createLatest()

  const byMessage = computed(() => {
    const offsets = new Map<string, number[]>()
    for (const { messageId, offset } of places.value) {
      const before = offsets.get(messageId)
      if (before) before.push(offset)
      else offsets.set(messageId, [offset])
    }
    return offsets
  })
  /** Index of the current match within its message, from 0. */
  const nth = computed(() => {
    const place = current.value
    return place ? (byMessage.value.get(place.messageId)?.indexOf(place.offset) ?? 0) : 0
  })

  const forget = (): void => {
    latest.cancel()
    places.value = []
    current.value = null
    searching.value = false
    more.value = false
    failed.value = false
  }
  /**
   * Returns the first match: in the message where the chat was opened, otherwise the first one below the reading position.
   */
  const start = (found: readonly ThreadPlace[]): ThreadPlace | null => {
    const anchorId = anchor
    anchor = null
    if (anchorId !== null) {
      const there = found.find(({ messageId }) => messageId === anchorId)
      if (there) return there
    }
    const from = options.readingDepth()
    const below = found.find(({ messageId }) => (options.depthOf(messageId) ?? -1) >= from)
    return below ?? found.at(-1) ?? null
  }
  const ask = async (changed: boolean): Promise<void> => {
    const text = query.value.trim()
    if (!changed || text === '') forget()
    if (text === '') return
    const isLatest = latest.start()
    searching.value = true
    const found = await options.places(text)
    if (!isLatest()) return
    searching.value = false
    failed.value = found === null
    if (!found) return
    more.value = found.more
    places.value = found.places
    const selected = current.value
    if (selected && found.places.some((one) => isSame(one, selected))) return
    current.value = changed && selected === null ? null : start(found.places)
  }
  const soon = (ms: number, changed: boolean): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void ask(changed), ms)
  }
  watch(query, (typed) => {
    if (typed.trim() === '') forget()
    if (open.value && typed !== given) soon(quietMs, false)
    given = null
  })
  watch(options.changes, () => open.value && query.value.trim() !== '' && soon(changedMs, true))

  /** Opens the search, immediately with a query if one is given, in a message if one is named. */
  const begin = (text: string, messageId: string | null = null): void => {
    open.value = true
    if (text === '') return
    anchor = messageId
    current.value = null
    if (query.value !== text) given = text
    query.value = text
    soon(0, false)
  }
  const close = (): void => {
    clearTimeout(timer)
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
    byMessage,
    nth,
    searching,
    more,
    failed,
    step,
    begin,
    close,
  }
}
