import { onBeforeUnmount, onMounted } from 'vue'
import { useToasts } from '../../ui/toasts.ts'
import { isCovered } from '../recordings/inspector-overlay.ts'
import { isCommand, isTyping } from '../shell/platform.ts'
import { useShell } from '../shell/store.ts'

/** What the keys of the opened meeting ask of its transcript, wherever in it the focus is. */
export interface TranscriptKeys {
  find(): void
  /** One place on or back; false when nothing is searched. */
  step(by: 1 | -1): boolean
  undo(): void
  redo(): void
}

/** Listens for search, undo and redo in the opened meeting; the list beside it keeps its own search, fields their own undo. */
export function useTranscriptKeys(keys: TranscriptKeys): void {
  const shell = useShell()
  const toasts = useToasts()

  const isHere = (target: EventTarget | null): boolean =>
    target === document.body ||
    (target instanceof Element && target.closest('#work, #inspector') !== null)
  const answer = (event: KeyboardEvent): boolean => {
    if (event.key === 'F3' && !event.ctrlKey && !event.metaKey && !event.altKey)
      return keys.step(event.shiftKey ? -1 : 1)
    if (!isCommand(event)) return false
    const key = event.key.toLowerCase()
    if (key === 'f' && !event.shiftKey) {
      keys.find()
      return true
    }
    if (isTyping(event) || (key !== 'z' && key !== 'y')) return false
    if (key === 'y' || event.shiftKey) keys.redo()
    else {
      // What a toast still offers to undo was done later, and elsewhere.
      if (toasts.toasts.some(({ action }) => action !== null)) return false
      keys.undo()
    }
    return true
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || shell.paletteOpen || isCovered()) return
    if (!isHere(event.target) || !answer(event)) return
    event.preventDefault()
    event.stopPropagation()
  }
  // Before the frame's own shortcuts, which search the list.
  onMounted(() => window.addEventListener('keydown', onKey, true))
  onBeforeUnmount(() => window.removeEventListener('keydown', onKey, true))
}
