import { onScopeDispose } from 'vue'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { isCommand } from '../../../lib/platform.ts'
import { useCapture } from './recorder-store.ts'

/**
 * Starts and stops recordings from anywhere: by key, tray or the system-wide shortcut. For the root component. `show` opens a
 * recording by its ID; null opens the start card, where refusals are shown.
 */
export function useCaptureCommands(
  show: (id: string | null) => void,
  allowed: () => boolean,
): void {
  const client = useClient()
  const capture = useCapture()

  const start = async (): Promise<void> => {
    if (capture.live || ['opening', 'starting'].includes(capture.state.phase) || !allowed()) return
    show(await capture.begin({}))
  }
  const onKey = (event: KeyboardEvent): void => {
    if (!isCommand(event) || !event.shiftKey || event.repeat || event.key.toLowerCase() !== 'r')
      return
    event.preventDefault()
    if (capture.live) capture.stop()
    else void start()
  }
  window.addEventListener('keydown', onKey)
  const off = client.onEvent((event) => {
    if (event.type !== 'page.command') return
    if (event.command === 'record-start') void start()
    if (event.command === 'record-stop') capture.stop()
  })
  onScopeDispose(() => {
    window.removeEventListener('keydown', onKey)
    off()
  })
}
