/** Maximum grid cells of a table. */
const maxPlaces = 50_000

/**
 * Removes the spans of tables whose cells would take more grid cells than a browser can lay out: cells that span a
 * thousand columns and rows push each other aside, and with a few hundred of them layout never ends.
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
