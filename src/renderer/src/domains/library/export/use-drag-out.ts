import { useClient } from '../../../lib/bridge/use-client.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { useShell } from '../../../lib/app-store.ts'

/**
 * Lets an element be dragged out of the window as a copy of a file: `v-bind` its result for a media name and the file's name.
 * Returns nothing in a browser tab, where files cannot be dragged.
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
  /** Detects the end of a drag, which captures all pointer moves: the first move without a button follows it. */
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
