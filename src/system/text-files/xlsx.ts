import { Parser } from 'htmlparser2'
import { strFromU8 } from 'fflate'
import {
  cellText,
  markdownText,
  maxChars,
  sectionOf,
  TextFileProblem,
  type Section,
  type TableCell,
  type TextBlock,
} from './blocks.ts'
import { tablesOf } from './html.ts'
import { valueFormats, type ValueFormat } from './xlsx-values.ts'
import { elementsNamed, relatedPath, relationsOf, type ZipFiles } from './zip.ts'

/** Texts of the cells of a row that are not empty, by column. */
type Row = ReadonlyMap<number, string>

/** Rows between empty ones, and the number of the first. */
interface Group {
  readonly from: number
  readonly rows: Row[]
}

/** Columns and rows that merged cells cover, by the row and the column of the first. */
type Merges = Map<number, Map<number, { readonly columns: number; readonly rows: number }>>

/** Maximum number of columns or rows of merged cells; the others are empty cells. */
const maxSpan = 100

/** Number of columns of the widest sheet that Excel has. */
const maxColumns = 16_384

/** Maximum number of cells of a workbook, with the empty ones between others. */
const maxCells = 5_000_000

/**
 * Reads the sheets of an Excel file: rows between empty ones are a table, and a column of its own is text. Cells have the
 * values that were calculated last, and a sheet of a chart has none. Throws {@link TextFileProblem}.
 */
export function* readXlsx(zip: ZipFiles): Generator<Section> {
  const main = 'xl/workbook.xml'
  const workbook = zip.xml(main)
  if (!workbook) throw new TextFileProblem('damaged', 'The archive contains no workbook')
  const relations = relationsOf(zip, main)
  const stringsPath = [...relations.values()].find(({ type }) => type.endsWith('/sharedStrings'))
  const strings = sharedStrings(zip.bytes(stringsPath?.path ?? ''))
  const formats = valueFormats(zip, relations, workbook)
  let cells = 0
  // Any number of cells can refer to one long text.
  let chars = 0
  for (const sheet of elementsNamed(workbook, 'sheets').flatMap((all) =>
    elementsNamed(all, 'sheet'),
  )) {
    const name = markdownText(sheet.attribs['name'] ?? '')
    const blocks: TextBlock[] = [{ kind: 'title', content: `## ${name}` }]
    const bytes = zip.bytes(relatedPath(sheet, relations) ?? '')
    const { groups, merges } = cellsOf(bytes, strings, formats)
    for (const group of groups) {
      const { rows } = group
      const first = rows.reduce((least, row) => Math.min(least, ...row.keys()), Infinity)
      for (const row of rows) {
        cells += Math.max(...row.keys()) - first + 1
        for (const text of row.values()) chars += text.length
      }
      if (cells > maxCells || chars > maxChars)
        throw new TextFileProblem('too-large', 'The workbook contains more than Lectern can show')
      blocks.push(...blocksOf(group, first, merges))
    }
    yield sectionOf(blocks, name)
  }
}

function blocksOf({ from, rows }: Group, first: number, merges: Merges): readonly TextBlock[] {
  if (rows.every((row) => row.size === 1 && row.has(first))) {
    const lines = rows.map((row) => markdownText(row.get(first) ?? ''))
    return [{ kind: 'text', content: lines.join('  \n') }]
  }
  /** Rows that are covered from above, by column, and the cell that covers them. */
  const covered = new Map<number, { readonly until: number; readonly by: { html: string } }>()
  return tablesOf(
    rows.map((row, at) => {
      const last = Math.max(...row.keys())
      const merged = merges.get(from + at)
      const cells: TableCell[] = []
      for (let column = first; column <= last; column++) {
        const html = cellText(row.get(column) ?? '')
        const above = covered.get(column)
        if (above && above.until > at) {
          // Some programs keep the text of hidden cells.
          if (html !== '') above.by.html += above.by.html === '' ? html : `<br>${html}`
          continue
        }
        const { columns = 1, rows: high = 1 } = merged?.get(column) ?? {}
        const rowspan = Math.min(high, rows.length - at)
        const cell = { html, colspan: columns, rowspan }
        for (let one = column; one < column + columns; one++)
          if (columns > 1 || rowspan > 1) covered.set(one, { until: at + rowspan, by: cell })
        cells.push(cell)
      }
      return cells
    }),
  )
}

/** Reads an XML file without its tree, which would need many times its size. Names are without prefix. */
function readXml(
  bytes: Uint8Array | undefined,
  on: {
    open(name: string, attribs: Readonly<Record<string, string>>): void
    text(text: string): void
    close(name: string): void
  },
): void {
  const local = (name: string): string => name.slice(name.indexOf(':') + 1)
  const parser = new Parser(
    {
      onopentag: (name, attribs) => on.open(local(name), attribs),
      ontext: (text) => on.text(text),
      onclosetag: (name) => on.close(local(name)),
    },
    { xmlMode: true },
  )
  parser.end(bytes ? strFromU8(bytes) : '')
}

/** Returns the texts that cells refer to by number, without phonetic readings. */
function sharedStrings(bytes: Uint8Array | undefined): readonly string[] {
  const strings: string[] = []
  let text = ''
  let inText = false
  let inReading = false
  readXml(bytes, {
    open(name) {
      if (name === 'si') text = ''
      if (name === 'rPh') inReading = true
      inText = name === 't' && !inReading
    },
    text(part) {
      if (inText) text += part
    },
    close(name) {
      inText = false
      if (name === 'rPh') inReading = false
      if (name === 'si') strings.push(unescaped(text))
    },
  })
  return strings
}

/** Decodes the characters that XML cannot contain. */
const unescaped = (text: string): string =>
  text
    .replace(/_x([\dA-F]{4})_/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/\r\n?/g, '\n')

/** Returns the column of an address, counted from 0; null if there is none. */
function columnOf(address: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}(?=\d)/i.exec(address ?? '')?.[0].toUpperCase()
  if (letters === undefined) return null
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Adds the merged cells that an address like A1:C2 names. */
function addMerge(address: string | undefined, merges: Merges): void {
  const [from, to] = (address ?? '').split(':')
  const [left, right] = [columnOf(from), columnOf(to)]
  const [top = 0, bottom = 0] = [from, to].map((one) => Number(/\d{1,7}$/.exec(one ?? '')?.[0]))
  if (left === null || right === null || !(bottom >= top)) return
  const span = (size: number): number => Math.min(maxSpan, Math.max(1, size + 1))
  const row = merges.get(top) ?? new Map()
  row.set(left, { columns: span(right - left), rows: span(bottom - top) })
  merges.set(top, row)
}

/** Returns the runs of rows with content of a sheet, and its merged cells. */
function cellsOf(
  bytes: Uint8Array | undefined,
  strings: readonly string[],
  formats: readonly ValueFormat[],
): { readonly groups: readonly Group[]; readonly merges: Merges } {
  const groups: Group[] = []
  const merges: Merges = new Map()
  let merged = 0
  let number = 0
  let lastFilled = -1
  let row: Map<number, string> | null = null
  let column = -1
  let cell: { readonly type: string; readonly style: number; value: string } | null = null
  let inValue = false
  let inReading = false
  readXml(bytes, {
    open(name, attribs) {
      if (name === 'row') {
        row = new Map()
        number = Number(/^\d{1,7}$/.exec(attribs['r'] ?? '')?.[0] ?? number + 1)
        column = -1
      } else if (name === 'c' && row) {
        column = columnOf(attribs['r']) ?? column + 1
        cell = { type: attribs['t'] ?? 'n', style: Number(attribs['s'] ?? 0), value: '' }
      }
      if (name === 'mergeCell' && ++merged <= maxCells) addMerge(attribs['ref'], merges)
      if (name === 'rPh') inReading = true
      inValue = name === 'v' || (name === 't' && !inReading)
    },
    text(part) {
      if (inValue && cell) cell.value += part
    },
    close(name) {
      inValue = false
      if (name === 'rPh') inReading = false
      if (name === 'c' && cell && row) {
        const text = valueText(cell.type, cell.value, strings, formats[cell.style])
        if (text.trim() !== '' && column < maxColumns) row.set(column, text)
        cell = null
      } else if (name === 'row' && row) {
        if (row.size > 0) {
          if (number === lastFilled + 1) groups.at(-1)?.rows.push(row)
          else groups.push({ from: number, rows: [row] })
          lastFilled = number
        }
        row = null
      }
    },
  })
  return { groups, merges }
}

/** Returns the text of a value; one that cannot be understood is shown as it is. */
function valueText(
  type: string,
  value: string,
  strings: readonly string[],
  format: ValueFormat | undefined,
): string {
  switch (type) {
    case 's':
      return strings[Number(value)] ?? ''
    case 'b':
      return { 0: 'FALSE', 1: 'TRUE' }[value] ?? value
    case 'd':
      return value.replace('T', ' ').replace(/ 00:00(?::00(?:\.0+)?)?Z?$/, '')
    case 'n': {
      const number = Number(value)
      if (value.trim() === '' || !Number.isFinite(number)) return value
      // Calculated values have the noise of binary fractions after 15 digits, as no spreadsheet shows them.
      return format?.(number) ?? String(Number(number.toPrecision(15)))
    }
    default:
      return unescaped(value)
  }
}
