import { computed, nextTick, ref, watch, type Ref } from 'vue'
import type { SpeechSegment } from '../../../../../shared/model/speech.ts'
import { focusRow } from '../../../kit/row-focus.ts'
import { useMeasuredRows } from '../../../kit/measured-rows.ts'

/** Estimated width of a character and of the space beside the text, and heights of a line and of the padding, in rem. */
const guess = { letter: 0.46, margin: 12, line: 1.5, around: 2 } as const

/**
 * Virtualizes the rows, since a text has thousands of segments. Rows are measured when they come into view; the keyboard reaches
 * all of them.
 */
export function useSegmentRows(
  box: Ref<HTMLElement | null>,
  segments: Ref<readonly SpeechSegment[]>,
) {
  const letters = ref(90)
  const rows = computed(() =>
    segments.value.map(({ id, text }) => ({
      key: id,
      rem: Math.ceil(text.length / letters.value) * guess.line + guess.around,
    })),
  )
  const list = useMeasuredRows(box, rows)
  watch(list.wide, (wide) => {
    letters.value = Math.max(10, Math.floor((wide - guess.margin) / guess.letter))
  })
  const drawn = computed(() => segments.value.slice(list.shown.value.from, list.shown.value.to))
  const indexOf = (id: string): number => segments.value.findIndex((segment) => segment.id === id)
  /** The row that is the tab stop. */
  const active = ref('')
  const tabStop = computed(() =>
    drawn.value.some(({ id }) => id === active.value) ? active.value : (drawn.value[0]?.id ?? ''),
  )

  /** Scrolls a row into view; twice, because rows are measured only after they are rendered. */
  const reveal = async (id: string): Promise<void> => {
    for (let turn = 0; turn < 2; turn++) {
      const place = list.placeOf(indexOf(id))
      if (!place) return
      const { top, bottom, scrollTop, viewport } = place
      if (top < scrollTop) list.scrollTo(top)
      else if (bottom > scrollTop + viewport) list.scrollTo(bottom - viewport)
      await nextTick()
      await new Promise(requestAnimationFrame)
    }
  }
  const focus = async (id: string): Promise<void> => {
    active.value = id
    // Immediately if it is rendered, so that it receives the next key.
    if (focusRow(box.value, id)) return reveal(id)
    await reveal(id)
    focusRow(box.value, id)
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const id = event.target instanceof HTMLElement ? event.target.dataset['item'] : undefined
    const at = id === undefined ? -1 : indexOf(id)
    if (at < 0) return
    const page = Math.max(1, drawn.value.length - 9)
    const last = segments.value.length - 1
    const to = {
      ArrowUp: at - 1,
      ArrowDown: at + 1,
      PageUp: Math.max(0, at - page),
      PageDown: Math.min(last, at + page),
      Home: 0,
      End: last,
    }[event.key]
    const next = to === undefined ? undefined : segments.value[to]
    if (!next) return
    event.preventDefault()
    void focus(next.id)
  }
  return { ...list, drawn, active, tabStop, reveal, focus, onKey }
}
