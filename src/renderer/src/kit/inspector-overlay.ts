import { nextTick, onBeforeUnmount, onMounted, watch, type Ref } from 'vue'
import { isTyping } from '../lib/platform.ts'
import { useShell } from '../lib/app-store.ts'

/** ID of the button that shows and hides the inspector; the overlay returns the focus to it. */
export const inspectorToggleId = 'inspector-toggle'

/** Whether a modal element is above everything and handles Escape first. */
export function isCovered(): boolean {
  return document.querySelector('dialog[open], :popover-open') !== null
}

/**
 * In a narrow window the inspector overlays the work: it gets the focus when it opens, and closes on Escape, on a press outside
 * and by `shut`.
 */
export function useInspectorOverlay(panel: Ref<HTMLElement | null>) {
  const shell = useShell()
  const over = (): boolean => shell.narrow && shell.inspectorOver

  const shut = (): void => {
    shell.inspectorOver = false
    void nextTick(() => document.getElementById(inspectorToggleId)?.focus())
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !over() || event.defaultPrevented) return
    if (shell.paletteOpen || isCovered() || isTyping(event)) return
    shut()
  }
  const onPress = (event: PointerEvent): void => {
    if (!over() || isCovered() || !(event.target instanceof Element)) return
    // The toggle closes it itself; closing it here too would open it again.
    if (panel.value?.contains(event.target) || event.target.closest(`#${inspectorToggleId}`)) return
    shell.inspectorOver = false
  }
  watch(over, async (isOver) => {
    if (!isOver) return
    await nextTick()
    panel.value?.focus()
  })
  onMounted(() => {
    window.addEventListener('keydown', onKey)
    window.addEventListener('pointerdown', onPress)
  })
  onBeforeUnmount(() => {
    window.removeEventListener('keydown', onKey)
    window.removeEventListener('pointerdown', onPress)
  })
  return { shut }
}
