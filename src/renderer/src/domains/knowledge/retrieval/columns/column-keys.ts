/** Moves between results: up and down in a column, left and right to the other column. */
export function onColumnKey(event: KeyboardEvent, frame: HTMLElement | null): void {
  const { target, key } = event
  if (!frame || !(target instanceof HTMLElement) || target.dataset['item'] === undefined) return
  const own = target.closest<HTMLElement>('[data-side]')
  if (!own) return
  const to = key === 'ArrowUp' || key === 'ArrowDown' ? own : neighborOf(frame, own, key)
  if (!to) return
  const from = [...own.querySelectorAll<HTMLElement>('[data-item]')].indexOf(target)
  const by = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
  const cards = [...to.querySelectorAll<HTMLElement>('[data-item]')]
  const next = cards[by === 0 ? Math.min(from, cards.length - 1) : from + by]
  if (!next) return
  event.preventDefault()
  next.focus()
}

function neighborOf(frame: HTMLElement, own: HTMLElement, key: string): HTMLElement | null {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return null
  const side = key === 'ArrowLeft' ? 'left' : 'right'
  const other = frame.querySelector<HTMLElement>(`[data-side='${side}']`)
  return other === own ? null : other
}
