import { useClient } from '../../api/use-client.ts'
import { useToasts } from '../../ui/toasts.ts'
import { useShell } from '../shell/store.ts'

/**
 * Lets an element be dragged out of the window as a copy of a file: `v-bind` what it gives for a media name and the file's name. A
 * browser tab drags no files, and gives nothing.
 */
export function useDragOut() {
  const client = useClient()
  const shell = useShell()
  const toasts = useToasts()

  async function start(event: DragEvent, media: string, name: string): Promise<void> {
    // The page's own drag would end the one that main starts.
    event.preventDefault()
    shell.draggedOut = true
    window.addEventListener('pointermove', released)
    const reply = await client.request('files.drag', { media, name })
    if (!reply.ok) toasts.show('save.notDragged', { failure: reply.error })
    else if (reply.data.state === 'preparing') toasts.show('save.preparing', { values: { name } })
  }
  /** A drag takes all moves of the pointer: the first one without a button comes after its end. */
  function released({ buttons }: PointerEvent): void {
    if (buttons !== 0) return
    window.removeEventListener('pointermove', released)
    shell.draggedOut = false
  }
  return (media: string | null, name: string) =>
    media === null || !shell.info?.fileHost
      ? {}
      : { draggable: true, onDragstart: (event: DragEvent) => void start(event, media, name) }
}
