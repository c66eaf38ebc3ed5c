import { computed, onBeforeUnmount, onMounted, ref, shallowRef, watch, type Ref } from 'vue'
import { rowAt, rowTops, rowWindow } from '../../ui/virtual-rows.ts'

/** A row of unknown height, with a guess in rem. */
export interface GuessedRow {
  readonly key: string
  readonly rem: number
}

/**
 * Rows whose heights are measured as they are drawn; until then a guess stands in. What is read keeps its place on screen when
 * rows above it come, go, or turn out higher than guessed.
 */
export function useMeasuredRows(box: Ref<HTMLElement | null>, rows: Ref<readonly GuessedRow[]>) {
  const heights = new Map<string, number>()
  const measured = ref(0)
  const scrollTop = ref(0)
  const viewport = ref(600)
  const wide = ref(0)
  const rem = ref(16)
  let width = 0

  const tops = computed(() => {
    void measured.value
    return rowTops(rows.value.map(({ key, rem: guess }) => heights.get(key) ?? guess * rem.value))
  })
  const shown = computed(() => {
    const { from, to } = rowWindow(tops.value, scrollTop.value, viewport.value, 4)
    return { from, to }
  })
  const height = computed(() => tops.value.at(-1) ?? 0)

  /** What is at the upper edge: the row and how far it is scrolled out. */
  const anchor = shallowRef<{ readonly key: string; readonly offset: number } | null>(null)
  const remember = (): void => {
    const index = rowAt(tops.value, scrollTop.value)
    const row = rows.value[index]
    anchor.value = row && { key: row.key, offset: scrollTop.value - (tops.value[index] ?? 0) }
  }
  const hold = (): void => {
    const held = anchor.value
    if (!held || !box.value || held.offset + scrollTop.value === 0) return
    const index = rows.value.findIndex(({ key }) => key === held.key)
    const top = tops.value[index]
    if (top === undefined || Math.abs(top + held.offset - scrollTop.value) < 1) return
    scrollTo(top + held.offset)
  }
  const scrollTo = (to: number): void => {
    if (!box.value) return
    box.value.scrollTop = to
    scrollTop.value = box.value.scrollTop
  }
  const onScroll = (): void => {
    if (!box.value) return
    scrollTop.value = box.value.scrollTop
    remember()
  }

  const keys = new WeakMap<Element, string>()
  const rowObserver = new ResizeObserver((entries) => {
    let changed = false
    for (const { target, borderBoxSize } of entries) {
      const key = keys.get(target)
      const tall = borderBoxSize[0]?.blockSize ?? 0
      if (key === undefined || tall === 0 || heights.get(key) === tall) continue
      heights.set(key, tall)
      changed = true
    }
    if (!changed) return
    measured.value++
    hold()
  })
  /** Puts a drawn row under watch; for the `ref` of its element. */
  const watchRow = (element: unknown, key: string): void => {
    if (!(element instanceof Element)) return
    if (keys.get(element) !== key) rowObserver.observe(element)
    keys.set(element, key)
  }
  const boxObserver = new ResizeObserver(() => {
    if (!box.value) return
    viewport.value = box.value.clientHeight
    const root = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    if (box.value.clientWidth !== width || root !== rem.value) {
      // Texts wrap anew: what was measured of rows out of sight is not true any more.
      width = box.value.clientWidth
      wide.value = width / root
      rem.value = root
      heights.clear()
      measured.value++
    }
  })
  onMounted(() => box.value && boxObserver.observe(box.value))
  onBeforeUnmount(() => {
    rowObserver.disconnect()
    boxObserver.disconnect()
  })
  watch(rows, hold, { flush: 'post' })

  /** Where a row lies; null for one that is not there. */
  const placeOf = (index: number) => {
    const [top, bottom] = [tops.value[index], tops.value[index + 1]]
    if (top === undefined || bottom === undefined) return null
    return { top, bottom, scrollTop: scrollTop.value, viewport: viewport.value }
  }
  return { tops, shown, height, wide, onScroll, scrollTo, watchRow, placeOf }
}
