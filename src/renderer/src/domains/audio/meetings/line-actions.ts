/** Actions for one line; the menu labels have the same names. */
export type LineAction =
  | 'play'
  | 'copy'
  | 'edit'
  | 'speaker'
  | 'mergeAbove'
  | 'mergeBelow'
  | 'again'
  | 'versions'
  | 'bookmark'
  | 'remove'

/** Letter shortcuts for the focused line, by `event.key` in lowercase. */
const letters: Readonly<Record<string, LineAction>> = { e: 'edit', s: 'speaker', h: 'again' }

/** The parts of a key press that the list of lines uses. */
type PressedKey = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Returns the action of a key for the focused line; null if there is none. */
export function lineActionOf({
  key,
  shiftKey,
  ctrlKey,
  metaKey,
  altKey,
}: PressedKey): LineAction | null {
  if (ctrlKey || metaKey || altKey) return null
  const letter = key.toLowerCase()
  if (letter === 'm') return shiftKey ? 'mergeAbove' : 'mergeBelow'
  if (shiftKey) return null
  if (key === 'Enter') return 'play'
  if (key === 'F2') return 'edit'
  if (key === 'Delete') return 'remove'
  return letters[letter] ?? null
}

/** Returns the row that a key moves to; null for other keys. `page` is the number of rows per page. */
export function rowOfKey(key: string, from: number, count: number, page: number): number | null {
  const to = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  }[key]
  if (to === undefined || count === 0) return null
  return Math.min(count - 1, Math.max(0, to))
}
