import { Paragraph, Table, TableCell, TableRow, WidthType } from 'docx'
import { beginsAt } from '../../../../shared/document/table-grid.ts'
import { plainText, type Element, type Node } from '../content/nodes.ts'
import { extentOf, tableOf, type ContentTable } from '../content/tables.ts'
import type { Place } from './parts.ts'
import { textRun } from './runs.ts'

/** Word's limits: columns of a table, and nesting of tables before they become text. */
const max = { columns: 63, nested: 4 } as const
/** Space between the margins, in twentieths of a point. */
const width = 9000

/** Creates the content of a cell. */
export type FillCell = (nodes: readonly Node[], place: Place) => (Paragraph | Table)[]

/**
 * Returns a table with its caption before it and an empty paragraph after it, which separates two tables; text where Word's
 * limits are exceeded.
 */
export function tableBlocks(node: Element, place: Place, fill: FillCell): (Paragraph | Table)[] {
  const table = tableOf(node)
  const { caption, grid } = table
  const title =
    caption === '' ? [] : [new Paragraph({ children: textRun(caption, { bold: true }) })]
  if (grid.columns === 0) return title
  if (grid.columns > max.columns || place.cells >= max.nested)
    return plainText([node])
      .split('\n')
      .map((line) => new Paragraph({ children: textRun(line) }))
  return [...title, tableOfGrid(table, place, fill), new Paragraph({})]
}

function tableOfGrid({ grid }: ContentTable, place: Place, fill: FillCell): Table {
  const inside = (align: Place['align'] | null, bold: boolean): Place => ({
    level: 0,
    cells: place.cells + 1,
    style: bold ? { bold: true } : {},
    ...(align && { align }),
  })
  const rows = grid.rows.map((slots, row) => {
    const cells: TableCell[] = []
    for (let column = 0; column < grid.columns; column += 1) {
      const slot = slots[column]
      if (!slot) {
        cells.push(new TableCell({ children: [new Paragraph({})] }))
        continue
      }
      const begins = beginsAt(slot, row, column)
      const extent = extentOf(grid, slot.row, slot.column)
      const within = row < slot.row + extent.rows && column < slot.column + extent.columns
      // docx itself writes the continuation cells below the first row of a merged cell.
      if (within && !begins) continue
      const { cell } = slot
      const children = begins ? fill(cell.nodes, inside(cell.align, cell.header)) : []
      if (!(children.at(-1) instanceof Paragraph)) children.push(new Paragraph({}))
      cells.push(
        new TableCell({
          children,
          ...(begins && extent.columns > 1 && { columnSpan: extent.columns }),
          ...(begins && extent.rows > 1 && { rowSpan: extent.rows }),
        }),
      )
    }
    const header = slots.length > 0 && slots.every((slot) => slot?.cell.header)
    return new TableRow({ children: cells, ...(header && row === 0 && { tableHeader: true }) })
  })
  return new Table({
    rows,
    width: { size: 100, type: WidthType.PERCENTAGE },
    columnWidths: Array.from({ length: grid.columns }, () => Math.floor(width / grid.columns)),
  })
}
