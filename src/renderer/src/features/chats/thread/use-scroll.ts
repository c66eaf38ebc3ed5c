import { computed, onBeforeUnmount, onMounted, ref, shallowRef, type Ref } from 'vue'
import { viewOf } from './scroll-view.ts'
import { createScroll, type Scroll, type ScrollMode } from './scroll.ts'

/** Elements involved in scrolling. */
export interface ScrollElements {
  readonly box: Readonly<Ref<HTMLElement | null>>
  readonly rows: Readonly<Ref<HTMLElement | null>>
  readonly room: Readonly<Ref<HTMLElement | null>>
}

/**
 * Number of screens above and below the visible part within which more is read; at most a quarter of the loaded part, or
 * both ends would alternate.
 */
const ahead = 1.5

/**
 * Creates the owner of the list's scroll position; calls `more` for another page when one of the ends is near.
 */
export function useScroll(elements: ScrollElements, more: (side: 'before' | 'after') => void) {
  const owner = shallowRef<Scroll | null>(null)
  const mode = ref<ScrollMode>('follow')
  const atEnd = ref(true)
  let frame = 0
  let touchY = 0

  const sync = (): void => {
    const scroll = owner.value
    if (!scroll) return
    mode.value = scroll.mode
    atEnd.value = scroll.atEnd
    nearEnds()
  }
  function nearEnds(): void {
    const box = elements.box.value
    if (!box || box.clientHeight === 0) return
    // Not scrolled to its end yet, so the user is not at the start.
    if (mode.value === 'follow' && !atEnd.value) return
    const margin = Math.min(ahead * box.clientHeight, (box.scrollHeight - box.clientHeight) / 4)
    if (box.scrollTop <= margin) more('before')
    if (box.scrollTop + box.clientHeight >= box.scrollHeight - margin) more('after')
  }
  const onWheel = (event: WheelEvent): void => {
    if (event.deltaY < 0 && !event.ctrlKey) owner.value?.raise()
  }
  const onTouchStart = (event: TouchEvent): void => {
    touchY = event.touches[0]?.clientY ?? 0
  }
  const onTouchMove = (event: TouchEvent): void => {
    if ((event.touches[0]?.clientY ?? 0) > touchY + 2) owner.value?.raise()
  }
  const onScroll = (): void => owner.value?.scrolled()
  const settle = (): void => owner.value?.settle()
  // After layout and before the frame is drawn: the text never appears in a wrong position.
  const observer = new ResizeObserver(settle)

  onMounted(() => {
    const { box, rows, room } = elements
    if (!box.value || !rows.value || !room.value) return
    owner.value = createScroll(viewOf(box.value, rows.value, room.value), () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(sync)
    })
    box.value.addEventListener('scroll', onScroll, { passive: true })
    box.value.addEventListener('wheel', onWheel, { passive: true })
    box.value.addEventListener('touchstart', onTouchStart, { passive: true })
    box.value.addEventListener('touchmove', onTouchMove, { passive: true })
    observer.observe(box.value)
    observer.observe(rows.value)
  })
  onBeforeUnmount(() => {
    observer.disconnect()
    cancelAnimationFrame(frame)
    owner.value = null
  })
  return { owner: computed(() => owner.value), mode, atEnd, settle }
}
