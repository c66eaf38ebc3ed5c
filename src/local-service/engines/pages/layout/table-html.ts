/** Table cell; spans count columns and rows. */
export interface Cell {
  readonly text: string
  readonly bold: boolean
  readonly columns: number
  readonly rows: number
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const span = (name: string, count: number): string => (count > 1 ? ` ${name}="${count}"` : '')

const cellHtml = (cell: Cell, tag: 'td' | 'th'): string =>
  `<${tag}${span('colspan', cell.columns)}${span('rowspan', cell.rows)}>${escaped(cell.text)}</${tag}>`

const rowHtml = (cells: readonly Cell[], tag: 'td' | 'th'): string =>
  `<tr>${cells.map((cell) => cellHtml(cell, tag)).join('')}</tr>`

const isNumber = (text: string): boolean => /^[-+(]?[\p{Sc}]?\d[\d.,\s]*[%)]?$/u.test(text)

/** Returns whether the first row is a header: it is bold, or it is the only one without numbers. */
function hasHead(rows: readonly (readonly Cell[])[]): boolean {
  const [first, ...rest] = rows
  if (!first || rest.length === 0) return false
  const filled = first.filter(({ text }) => text !== '')
  if (filled.length === 0 || first.some((cell) => cell.rows > 1)) return false
  if (filled.every(({ bold }) => bold)) return true
  if (first.some(({ text }) => isNumber(text))) return false
  return rest.every((row) => row.some(({ text }) => isNumber(text)))
}

/** Formats rows of cells as HTML, with a header row if one is detected. */
export function tableHtml(rows: readonly (readonly Cell[])[]): string {
  const headed = hasHead(rows)
  const head = headed ? `<thead>${rowHtml(rows[0] ?? [], 'th')}</thead>` : ''
  const body = rows.slice(headed ? 1 : 0).map((row) => rowHtml(row, 'td'))
  return `<table>${head}<tbody>${body.join('')}</tbody></table>`
}
