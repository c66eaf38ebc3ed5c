/** Whether shortcuts use Cmd instead of Ctrl. */
export const isMac = /Mac/i.test(globalThis.navigator?.platform ?? '')

/** Whether a key press has the platform's command key and no other modifier except Shift. */
export function isCommand(event: KeyboardEvent): boolean {
  return (
    (isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) && !event.altKey
  )
}

/** Formats a shortcut for display: `mod+k` is `⌘K` or `Ctrl+K`. */
export function shortcutText(shortcut: string): string {
  const names: Record<string, string> = isMac
    ? { mod: '⌘', shift: '⇧', alt: '⌥', delete: '⌫', space: 'Space', left: '←', right: '→' }
    : {
        mod: 'Ctrl',
        shift: 'Shift',
        alt: 'Alt',
        delete: 'Del',
        space: 'Space',
        left: '←',
        right: '→',
      }
  const keys = shortcut
    .split('+')
    .map((key) => names[key] ?? (key.length === 1 ? key.toUpperCase() : key))
  return keys.join(isMac ? '' : '+')
}

/** Whether a key press belongs to text input, including the composition of an input method. */
export function isTyping(event: KeyboardEvent): boolean {
  if (event.isComposing || event.keyCode === 229) return true
  const target = event.target
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target instanceof HTMLTextAreaElement) return true
  if (target instanceof HTMLSelectElement) return true
  return (
    target instanceof HTMLInputElement &&
    !['checkbox', 'radio', 'range', 'button'].includes(target.type)
  )
}
