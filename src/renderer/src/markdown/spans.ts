/** Places of its grid that a table may take at most. */
const maxPlaces = 50_000

/**
 * Takes the spans away from tables whose cells would take more places than a browser lays out: cells that reach through a
 * thousand columns and rows push each other aside, and a few hundred of them never end.
 */
export function tameSpans(fragment: DocumentFragment): void {
  for (const table of fragment.querySelectorAll('table')) {
    const cells = [...table.querySelectorAll<HTMLTableCellElement>('[colspan], [rowspan]')]
    const rows = table.querySelectorAll('tr').length
    let places = 0
    for (const { colSpan, rowSpan } of cells)
      places += colSpan * Math.min(rows, rowSpan === 0 ? rows : rowSpan)
    if (places <= maxPlaces) continue
    for (const cell of cells) {
      cell.removeAttribute('colspan')
      cell.removeAttribute('rowspan')
    }
  }
}
