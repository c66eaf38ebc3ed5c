import { ref } from 'vue'

/**
 * Handles files dropped onto an element, so that the window's own drop handler ignores them. `on` is for its `v-on`.
 */
export function useFileDrop(takes: () => boolean, drop: (files: readonly File[]) => void) {
  const over = ref(false)
  const wanted = (event: DragEvent): boolean =>
    takes() && (event.dataTransfer?.types.includes('Files') ?? false)
  const dragover = (event: DragEvent): void => {
    if (!wanted(event)) return
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
    over.value = true
  }
  const dragleave = ({ currentTarget, relatedTarget }: DragEvent): void => {
    const inside =
      currentTarget instanceof Element &&
      relatedTarget instanceof Node &&
      currentTarget.contains(relatedTarget)
    if (!inside) over.value = false
  }
  const dropped = (event: DragEvent): void => {
    over.value = false
    if (!wanted(event)) return
    event.preventDefault()
    drop([...(event.dataTransfer?.files ?? [])])
  }
  return { over, on: { dragenter: dragover, dragover, dragleave, drop: dropped } }
}
