import writeXlsxFile, { type Cell, type Row, type SheetData } from 'write-excel-file/node'
import { beginsAt } from '../../../../shared/documents/table-grid.ts'
import { cleanText } from '../../../platform/export-files/clean.ts'
import type { PlacedTable } from './content/exported-pages.ts'
import { extentOf, type ContentCell, type ContentTable } from './content/tables.ts'
import { factLines } from './export-facts.ts'
import type { ExportSource } from './document-export-types.ts'
import { documentLabels, type DocumentLabels } from './labels.ts'
import { sheetNumber } from './xlsx-number.ts'

/** Excel's limits of a sheet and of a cell (in UTF-16 units). */
const max = { rows: 1_048_576, columns: 16_384, chars: 32_767 } as const

/** A workbook in memory. */
interface Workbook {
  readonly bytes: Uint8Array
  /** Number of cells truncated at 32,767 characters, and of cells beyond the last column or row of a sheet. */
  readonly cutCells: number
}

/**
 * Writes one sheet per table, named by its page, with spans as merged cells; the first sheet has the facts. Nothing is ever
 * calculated.
 */
export async function writeXlsx(
  source: ExportSource,
  tables: readonly PlacedTable[],
): Promise<Workbook> {
  const words = documentLabels[source.language]
  const counts = { cut: 0 }
  const sheets = tables.map(({ page, number: place, table }) => ({
    sheet: place === 1 ? words.page(page) : `${words.page(page)} (${place})`,
    data: sheetData(table, words, counts),
    columns: widths(table),
  }))
  const about: SheetData = [
    source.title,
    ...factLines(source),
    words.tables(tables.length),
    ...(counts.cut > 0 ? [words.cutCells(counts.cut)] : []),
  ].map((line) => [text(cleanText(line))])
  const book = writeXlsxFile([
    { sheet: words.about, data: about, columns: [{ width: 100 }] },
    ...sheets,
  ])
  return { bytes: await book.toBuffer(), cutCells: counts.cut }
}

function sheetData(
  { grid }: ContentTable,
  words: DocumentLabels,
  counts: { cut: number },
): SheetData {
  const rows = grid.rows.slice(0, max.rows)
  counts.cut += grid.rows.slice(max.rows).reduce((sum, row) => sum + row.length, 0)
  return rows.map((slots, row): Row => {
    counts.cut += Math.max(0, slots.length - max.columns)
    return slots.slice(0, max.columns).map((slot, column): Cell => {
      if (!slot || !beginsAt(slot, row, column)) return null
      const { columns: wide, rows: high } = extentOf(grid, row, column)
      const cell = cellOf(slot.cell, words, counts)
      return {
        ...cell,
        ...(wide > 1 && { columnSpan: Math.min(wide, max.columns - column) }),
        ...(high > 1 && { rowSpan: Math.min(high, max.rows - row) }),
      }
    })
  })
}

function cellOf(
  { text: written, header, align }: ContentCell,
  words: DocumentLabels,
  counts: { cut: number },
): Exclude<ReturnType<typeof text> | ReturnType<typeof number>, null> {
  const style = { ...(header && { fontWeight: 'bold' as const }), ...(align && { align }) }
  const whole = guarded(cleanText(written))
  const asNumber = header ? null : number(whole)
  if (asNumber) return { ...asNumber, ...style }
  if (whole.length <= max.chars) return { ...text(whole), ...style }
  counts.cut += 1
  const note = `… ${words.cut(whole.length)}`
  return { ...text(cleanText(whole.slice(0, max.chars - note.length) + note)), ...style }
}

const text = (value: string) => ({
  value,
  type: String,
  // `@` prevents Excel from converting text typed into the cell to dates and numbers.
  format: '@',
  wrap: true,
  alignVertical: 'top' as const,
})

function number(written: string) {
  const read = sheetNumber(written)
  return read && { ...read, type: Number, alignVertical: 'top' as const }
}

/** Escapes text like `_x0041_`, which is how a sheet encodes a character it cannot contain. */
const guarded = (words: string): string => words.replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')

/** Returns column widths by the longest line, between 8 and 60 characters; wide scripts count twice. */
function widths({ grid }: ContentTable): { readonly width: number }[] {
  const maxLengths: number[] = []
  for (const slots of grid.rows.slice(0, 1000)) {
    for (const [column, slot] of slots.slice(0, 200).entries()) {
      if (!slot || slot.cell.colspan > 1) continue
      const line = slot.cell.text.slice(0, 200).split('\n', 1)[0] ?? ''
      const wide = line.length + (line.match(/[\u2e80-\uffdc]/g)?.length ?? 0)
      maxLengths[column] = Math.max(maxLengths[column] ?? 0, wide)
    }
  }
  // Columns covered only by spans are empty slots of the array.
  return Array.from(maxLengths, (chars: number | undefined) => ({
    width: Math.min(Math.max((chars ?? 0) + 2, 8), 60),
  }))
}
