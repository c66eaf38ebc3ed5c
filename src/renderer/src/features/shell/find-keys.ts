import { onBeforeUnmount, onMounted } from 'vue'
import { isCovered } from '../recordings/inspector-overlay.ts'
import { isCommand, isTyping } from './platform.ts'
import { useShell } from './store.ts'

/** What the keys of a search ask for. */
export interface FindKeys {
  find(): void
  /** One place on or back; false when nothing is searched. */
  step(by: 1 | -1): boolean
  /** From the list beside the work too, but for its own search field. */
  readonly everywhere?: boolean
  /** Other keys of the same work; true when they were answered. */
  other?(event: KeyboardEvent): boolean
}

/** Listens for the search of what is open (Ctrl or Cmd+F, F3), wherever in the work the focus is. */
export function useFindKeys(keys: FindKeys): void {
  const shell = useShell()

  const isHere = (event: KeyboardEvent): boolean =>
    event.target === document.body ||
    (event.target instanceof Element && event.target.closest('#work, #inspector') !== null) ||
    (keys.everywhere === true && !isTyping(event))
  const answer = (event: KeyboardEvent): boolean => {
    if (event.key === 'F3' && !event.ctrlKey && !event.metaKey && !event.altKey)
      return keys.step(event.shiftKey ? -1 : 1)
    if (isCommand(event) && event.key.toLowerCase() === 'f' && !event.shiftKey) {
      keys.find()
      return true
    }
    return keys.other?.(event) ?? false
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.isComposing || shell.paletteOpen || isCovered()) return
    if (!isHere(event) || !answer(event)) return
    event.preventDefault()
    event.stopPropagation()
  }
  // Before the frame's own shortcuts, which search the list.
  onMounted(() => window.addEventListener('keydown', onKey, true))
  onBeforeUnmount(() => window.removeEventListener('keydown', onKey, true))
}

/** Words that are chosen on the page, to begin a search with; empty when it is more than one would search for. */
export function chosenWords(): string {
  const chosen = String(getSelection() ?? '').trim()
  return chosen.length <= 80 && !chosen.includes('\n') ? chosen : ''
}
