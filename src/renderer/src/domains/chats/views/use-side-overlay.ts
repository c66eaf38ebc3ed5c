import { nextTick, onBeforeUnmount, onMounted, ref, watch, type Ref } from 'vue'
import { isCovered } from '../../../kit/inspector-overlay.ts'
import { isTyping } from '../../../lib/platform.ts'

/**
 * Width of the view (in rem) up to which there is no room for three columns; the style sheet contains it too.
 */
const roomy = 62

/**
 * Side pane as an overlay when there is no room for a column: it takes the focus when it opens, closes on Escape and on
 * a press elsewhere, and returns the focus.
 */
export function useSideOverlay(options: {
  readonly frame: Readonly<Ref<HTMLElement | null>>
  readonly panel: Readonly<Ref<HTMLElement | null>>
  /** Name of the shown content; empty when there is none. */
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
  // Content that the press itself opens or closes must not be closed again.
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
  // The view is rendered after its content.
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
