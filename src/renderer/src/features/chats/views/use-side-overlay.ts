import { nextTick, onBeforeUnmount, onMounted, ref, watch, type Ref } from 'vue'
import { isCovered } from '../../recordings/inspector-overlay.ts'
import { isTyping } from '../../shell/platform.ts'

/** Up to this width of the view (in rem) there is no room for three columns; the style sheet knows it too. */
const roomy = 62

/**
 * Where there is no room beside the work, what stands to the right lies over it: it takes the focus when it comes, goes on Escape and
 * on a press elsewhere, and gives the focus back.
 */
export function useSideOverlay(options: {
  readonly frame: Readonly<Ref<HTMLElement | null>>
  readonly panel: Readonly<Ref<HTMLElement | null>>
  /** Names what is shown; empty when nothing is. */
  readonly shown: Readonly<Ref<string>>
  close(): void
}) {
  const { frame, panel, shown, close } = options
  const narrow = ref(false)
  let opener: Element | null = null

  const shut = (): void => {
    const back = opener
    close()
    void nextTick(() => back instanceof HTMLElement && back.isConnected && back.focus())
  }
  const isOver = (): boolean => narrow.value && shown.value !== ''
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented || !isOver()) return
    if (isCovered() || isTyping(event)) return
    shut()
  }
  // What the press itself opens or closes is not closed again by it.
  let pressed = ''
  const onPress = (event: PointerEvent): void => {
    const outside = event.target instanceof Element && !panel.value?.contains(event.target)
    pressed = outside && isOver() && !isCovered() ? shown.value : ''
  }
  const onClick = (): void => {
    if (pressed !== '' && shown.value === pressed) close()
    pressed = ''
  }
  watch(
    [shown, narrow],
    async ([what], [before]) => {
      if (before === '' && what !== '') opener = document.activeElement
      if (!isOver()) return
      await nextTick()
      panel.value?.focus()
    },
    { flush: 'pre' },
  )
  const observer = new ResizeObserver(([entry]) => {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    if (entry) narrow.value = entry.contentRect.width <= roomy * rem
  })
  // The view is drawn after what stands in it.
  watch(
    frame,
    (box) => {
      observer.disconnect()
      if (box) observer.observe(box)
    },
    { immediate: true },
  )
  onMounted(() => {
    window.addEventListener('keydown', onKey)
    window.addEventListener('pointerdown', onPress, true)
    window.addEventListener('click', onClick)
  })
  onBeforeUnmount(() => {
    observer.disconnect()
    window.removeEventListener('keydown', onKey)
    window.removeEventListener('pointerdown', onPress, true)
    window.removeEventListener('click', onClick)
  })
  return { narrow, shut }
}
