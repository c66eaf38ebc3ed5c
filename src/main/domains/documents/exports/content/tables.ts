import { fillGrid, type Cell, type Grid } from '../../../../../shared/documents/table-grid.ts'
import { plainText, type Element, type Node } from '../../../../platform/export-files/nodes.ts'

/** A cell with its content. */
export interface ContentCell extends Cell {
  readonly nodes: readonly Node[]
  readonly align: 'left' | 'center' | 'right' | null
}

/** A table with its spans resolved. */
export interface ContentTable {
  readonly caption: string
  readonly grid: Grid<ContentCell>
}

/** Returns the tables among nodes, in order; a table inside a cell is part of that cell's text. */
export function tablesIn(nodes: readonly Node[]): readonly ContentTable[] {
  return nodes.flatMap((node): readonly ContentTable[] => {
    if (node.type !== 'element') return []
    return node.tag === 'table' ? [tableOf(node)] : tablesIn(node.children)
  })
}

/** Reads rows and cells from a table element; misplaced content between them becomes a row of its own. */
export function tableOf(table: Element): ContentTable {
  const rows: ContentCell[][] = []
  const captions: Node[] = []
  const loose: Node[] = []
  const walk = (nodes: readonly Node[], header: boolean): void => {
    for (const node of nodes) {
      if (node.type !== 'element') loose.push(node)
      else if (node.tag === 'caption') captions.push(...node.children)
      else if (node.tag === 'tr') rows.push(cellsOf(node.children, header))
      else if (node.tag === 'td' || node.tag === 'th') rows.push(cellsOf([node], header))
      else if (['thead', 'tbody', 'tfoot'].includes(node.tag))
        walk(node.children, node.tag === 'thead')
      else loose.push(node)
    }
  }
  walk(table.children, false)
  if (plainText(loose) !== '') rows.push(cellsOf(loose, false))
  return { caption: plainText(captions), grid: fillGrid(rows) }
}

function cellsOf(nodes: readonly Node[], header: boolean): ContentCell[] {
  const cells: ContentCell[] = []
  const loose: Node[] = []
  for (const node of nodes) {
    if (node.type === 'element' && (node.tag === 'td' || node.tag === 'th'))
      cells.push(cellOf(node, header || node.tag === 'th'))
    else loose.push(node)
  }
  if (plainText(loose) === '') return cells
  return [...cells, { ...plain, text: plainText(loose), nodes: loose, header }]
}

const plain = { colspan: 1, rowspan: 1, align: null } as const

function cellOf({ attributes, children }: Element, header: boolean): ContentCell {
  return {
    text: plainText(children),
    nodes: children,
    colspan: attributes.colspan ?? 1,
    rowspan: attributes.rowspan ?? 1,
    align: attributes.align ?? null,
    header,
  }
}

/** Returns the columns and rows a cell really covers: fewer than its spans specify where spans overlap. */
export function extentOf(
  { rows }: Grid<ContentCell>,
  row: number,
  column: number,
): { readonly columns: number; readonly rows: number } {
  const slot = rows[row]?.[column]
  let right = column + 1
  while (slot && rows[row]?.[right] === slot) right += 1
  const wholeRow = (at: number): boolean => {
    for (let place = column; place < right; place += 1) if (rows[at]?.[place] !== slot) return false
    return true
  }
  let below = row + 1
  while (slot && below < rows.length && wholeRow(below)) below += 1
  return { columns: right - column, rows: below - row }
}
