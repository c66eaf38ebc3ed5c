/** Returns the UTF-16 offset in an element's text at a point of the window; null if its text is not there. */
export function offsetAtPoint(element: HTMLElement, x: number, y: number): number | null {
  const place = document.caretPositionFromPoint(x, y)
  if (!place || !element.contains(place.offsetNode)) return null
  const range = document.createRange()
  range.setStart(element, 0)
  range.setEnd(place.offsetNode, place.offset)
  return range.toString().length
}
