/** Returns the row to focus when rows leave a list: the next one that stays, or the last one before. */
export function rowAfter(ids: readonly string[], gone: ReadonlySet<string>): string | null {
  const last = ids.findLastIndex((id) => gone.has(id))
  const stays = (id: string): boolean => !gone.has(id)
  return ids.slice(last + 1).find(stays) ?? ids.slice(0, Math.max(0, last)).findLast(stays) ?? null
}

/** Returns the path to open when rows are removed: that of the row to focus, or of the list if none is left. */
export function pathAfter(
  list: string,
  ids: readonly string[],
  gone: string | readonly string[],
): string {
  const next = rowAfter(ids, new Set(typeof gone === 'string' ? [gone] : gone))
  return next === null ? list : `${list}/${next}`
}

/**
 * Focuses the row of an item (marked with its ID in `data-item`) inside a container; returns false if it is not
 * rendered.
 */
export function focusRow(box: ParentNode | null | undefined, id: string | null): boolean {
  const row = [...(box?.querySelectorAll<HTMLElement>('[data-item]') ?? [])].find(
    ({ dataset }) => dataset['item'] === id,
  )
  row?.focus()
  return row !== undefined
}

/** Handles keys in a search field above a list: Down focuses the first row, Enter opens it. */
export function enterRows(event: KeyboardEvent, box: ParentNode | null | undefined): void {
  if (event.isComposing || event.keyCode === 229) return
  if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
  if (!(event.target instanceof HTMLInputElement)) return
  const first = box?.querySelector<HTMLElement>('[data-item]')
  if (!first) return
  event.preventDefault()
  if (event.key === 'Enter') first.click()
  else first.focus()
}

/**
 * Returns whether a key press requests deleting rows: only Delete without modifiers, never Backspace, which also means
 * "back"; ignores repeats while it is held down.
 */
export function isDelete(event: KeyboardEvent): boolean {
  const { key, repeat, ctrlKey, metaKey, altKey, shiftKey } = event
  return key === 'Delete' && !repeat && !ctrlKey && !metaKey && !altKey && !shiftKey
}
