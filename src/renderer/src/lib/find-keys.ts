import { onBeforeUnmount, onMounted } from 'vue'
import { isCovered } from '../kit/inspector-overlay.ts'
import { isCommand, isMac, isTyping } from './platform.ts'
import { useShell } from './app-store.ts'

/** Handlers of the search keys. */
export interface FindKeys {
  find(): void
  /** Moves to the next or previous match; returns false when no search is active. */
  step(by: 1 | -1): boolean
  /** Searches for words to replace. */
  replace?(): void
  /** Whether they also work in the list next to the work, except for its own search field. */
  readonly everywhere?: boolean
  /** Handles other keys of the same view; returns true when it did. */
  other?(event: KeyboardEvent): boolean
}

/** On macOS, Cmd+H hides the app. */
export const replaceShortcut = isMac ? 'alt+mod+f' : 'mod+h'
const isReplace = (event: KeyboardEvent): boolean =>
  isMac
    ? event.metaKey && event.altKey && event.code === 'KeyF'
    : isCommand(event) && !event.shiftKey && event.key.toLowerCase() === 'h'

/** Handles the search keys of the open view (Ctrl/Cmd+F, F3, Ctrl+H), wherever the focus is in it. */
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
    if (keys.replace && isReplace(event)) {
      keys.replace()
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
  // Runs before the app's own shortcuts, which search the list.
  onMounted(() => window.addEventListener('keydown', onKey, true))
  onBeforeUnmount(() => window.removeEventListener('keydown', onKey, true))
}

/** Returns the text selected on the page, to start a search with; empty when it is too long for a search. */
export function chosenWords(): string {
  const chosen = String(getSelection() ?? '').trim()
  return chosen.length <= 80 && !chosen.includes('\n') ? chosen : ''
}
