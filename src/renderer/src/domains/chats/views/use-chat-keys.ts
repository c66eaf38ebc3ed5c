import { onBeforeUnmount, onMounted } from 'vue'
import { isCovered } from '../../../kit/inspector-overlay.ts'
import { isCommand } from '../../../lib/platform.ts'
import { useShell } from '../../../lib/app-store.ts'

/** Whether a key press requests a new chat. */
export function isNewChatKey(event: KeyboardEvent): boolean {
  if (!isCommand(event) || event.isComposing || event.repeat) return false
  const key = event.key.toLowerCase()
  return event.shiftKey ? key === 'o' : key === 'n'
}

/** Handles shortcuts of the chats, wherever in the view the focus is. */
export function useChatKeys(begin: () => void): void {
  const shell = useShell()
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || !isNewChatKey(event)) return
    if (shell.readOnly || shell.paletteOpen || isCovered()) return
    event.preventDefault()
    begin()
  }
  onMounted(() => window.addEventListener('keydown', onKey))
  onBeforeUnmount(() => window.removeEventListener('keydown', onKey))
}
