import { computed, onBeforeUnmount, ref, shallowRef, watch, type Ref } from 'vue'
import type { SpeechSegment } from '../../../../../shared/model/speech.ts'
import { fold } from '../../../../../shared/text/fold.ts'
import { holds } from '../../../../../shared/text/locate.ts'
import { parseQuery, type Term } from '../../../../../shared/text/query.ts'
import { drawnRanges } from '../../../kit/rendered-words.ts'
import { showHighlight } from '../../../kit/highlights.ts'

/** Debounce of the search while typing, in milliseconds. */
const quietMs = 120
const names = { all: 'lectern-find', here: 'lectern-find-here' } as const

/** Search in the open text: the segments that contain the terms, and the current one. Only rendered text is marked. */
export function useSegmentFind(segments: Ref<readonly SpeechSegment[]>) {
  const open = ref(false)
  const query = ref('')
  const terms = shallowRef<readonly Term[]>([])
  const index = ref(0)
  const folded = new Map<string, string>()
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Query that `begin` has set, whose match is chosen already. */
  let begun = ''

  const textOf = (text: string): string => {
    const known = folded.get(text)
    if (known !== undefined) return known
    const made = fold(text)
    folded.set(text, made)
    return made
  }
  const found = computed(() =>
    terms.value.length === 0
      ? []
      : segments.value.flatMap(({ id, text }) =>
          terms.value.every((term) => holds(textOf(text), term)) ? [id] : [],
        ),
  )
  const current = computed(() => found.value[index.value] ?? null)
  watch(query, () => {
    clearTimeout(timer)
    if (query.value === begun) return
    begun = ''
    timer = setTimeout(() => {
      terms.value = parseQuery(query.value)
      index.value = 0
    }, quietMs)
  })
  watch(found, ({ length }) => (index.value = Math.min(index.value, Math.max(0, length - 1))))

  const clear = (): void => {
    for (const name of Object.values(names)) showHighlight(name, [])
  }
  onBeforeUnmount(() => {
    clearTimeout(timer)
    clear()
  })
  return {
    open,
    query,
    found,
    index,
    current,
    /** Opens the search with a result of another one, at its segment. */
    begin(text: string, id: string): void {
      begun = text
      query.value = text
      terms.value = parseQuery(text)
      index.value = Math.max(0, found.value.indexOf(id))
      open.value = true
    },
    step(by: 1 | -1): void {
      const { length } = found.value
      if (length > 0) index.value = (index.value + by + length) % length
    },
    close(): void {
      open.value = false
      begun = ''
      query.value = ''
      terms.value = []
      folded.clear()
      clear()
    },
    /** Marks the terms in the rendered rows. */
    mark(rows: ParentNode): void {
      if (terms.value.length === 0) return clear()
      const here: Range[] = []
      const others: Range[] = []
      for (const row of rows.querySelectorAll<HTMLElement>('[data-item]'))
        (row.dataset['item'] === current.value ? here : others).push(
          ...drawnRanges(row, terms.value),
        )
      showHighlight(names.all, others)
      showHighlight(names.here, here)
    },
  }
}

export type SegmentFind = ReturnType<typeof useSegmentFind>
