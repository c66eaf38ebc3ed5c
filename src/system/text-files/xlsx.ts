import readXlsxFile, { type Sheet } from 'read-excel-file/universal'
import {
  cellText,
  markdownText,
  sectionOf,
  TextFileProblem,
  type Section,
  type TextBlock,
} from './blocks.ts'
import { tablesOf } from './html.ts'
import type { ZipFiles } from './zip.ts'

type Row = Sheet['data'][number]

/**
 * Reads the sheets of an Excel file: rows between empty ones are a table, and a column of its own is text. Cells have the
 * values that were calculated last. Throws {@link TextFileProblem}.
 */
export async function readXlsx(
  file: Uint8Array<ArrayBuffer>,
  zip: ZipFiles,
): Promise<readonly Section[]> {
  if (!zip.has('xl/workbook.xml'))
    throw new TextFileProblem('damaged', 'The archive contains no workbook')
  const sheets = await readXlsxFile(bufferOf(file))
  return sheets.map(({ sheet, data }) => {
    const name = markdownText(sheet)
    const title: TextBlock = { kind: 'title', content: `## ${name}` }
    return sectionOf([title, ...groupsOf(data).flatMap(blocksOf)], name)
  })
}

/** Returns a buffer with only this file. */
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer =>
  byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength)

const isEmpty = (cell: Row[number] | undefined): boolean =>
  cell === null || cell === undefined || (cell as unknown) === ''

/** Returns runs of rows with content. */
function groupsOf(rows: readonly Row[]): readonly (readonly Row[])[] {
  const groups: Row[][] = []
  let open = false
  for (const row of rows) {
    const filled = !row.every(isEmpty)
    if (filled && open) groups.at(-1)?.push(row)
    else if (filled) groups.push([row])
    open = filled
  }
  return groups
}

function blocksOf(rows: readonly Row[]): readonly TextBlock[] {
  let first = Infinity
  let last = 0
  for (const row of rows)
    for (const [at, cell] of row.entries()) {
      if (isEmpty(cell)) continue
      first = Math.min(first, at)
      last = Math.max(last, at)
    }
  const texts = rows.map((row) => row.slice(first, last + 1).map(textOf))
  if (first === last)
    return [
      {
        kind: 'text',
        content: texts.map(([text = '']) => markdownText(text)).join('  \n'),
      },
    ]
  return tablesOf(texts.map((row) => row.map((text) => ({ html: cellText(text) }))))
}

const dayMs = 86_400_000

/** Returns the text of a cell: dates in ISO form, without the time if there is none. */
function textOf(cell: Row[number] | undefined): string {
  const value = cell as unknown
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE'
  // Calculated values have the noise of binary fractions after 15 digits, as no spreadsheet shows them.
  if (typeof value === 'number') return String(Number(value.toPrecision(15)))
  if (!(value instanceof Date)) return typeof value === 'string' ? value : ''
  const date = new Date(Math.round(value.getTime() / 1000) * 1000)
  if (Number.isNaN(date.getTime())) return ''
  const iso = date.toISOString()
  const time = iso.slice(11, 19).replace(/:00$/, '')
  // Excel counts days from the end of 1899: the first one is a time of day.
  if (date.getUTCFullYear() <= 1899) return time
  return date.getTime() % dayMs === 0 ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`
}
