/** What is done with one line; the words of the menu are named alike. */
export type LineAction =
  | 'play'
  | 'copy'
  | 'edit'
  | 'speaker'
  | 'mergeAbove'
  | 'mergeBelow'
  | 'again'
  | 'bookmark'
  | 'remove'

/** Letters that do something with the line that has the focus, by `event.key` in lower case. */
const letters: Readonly<Record<string, LineAction>> = { e: 'edit', s: 'speaker', h: 'again' }

/** A key press as far as the list of lines looks at it. */
export type PressedKey = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** What a key means for the line that has the focus; null when it means nothing. */
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

/** The row a key leads to from another one; null for other keys. `page` is how many rows a page has. */
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
