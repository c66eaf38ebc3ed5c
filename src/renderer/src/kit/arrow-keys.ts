/** Moves the focus with the up and down keys through the rows (marked `data-item`) of the list with this listener. */
export function useArrowKeys() {
  return (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const list = event.currentTarget
    if (!(list instanceof HTMLElement) || !(event.target instanceof HTMLElement)) return
    // Virtual rows are in any DOM order: their visual position counts.
    const items = [...list.querySelectorAll<HTMLElement>('[data-item]')].toSorted(
      (a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top,
    )
    const at = items.indexOf(event.target)
    const next = items[at + (event.key === 'ArrowDown' ? 1 : -1)]
    if (!next) return
    event.preventDefault()
    next.focus()
  }
}
