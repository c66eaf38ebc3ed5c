import type { Steps } from '../render-queue.ts'
import type { ContainerPage, OpenContainer } from './containers.ts'
import { tableBox } from './decorate-fragment.ts'
import { createGroup, type Group } from './groups.ts'
import { patch } from './patch.ts'

/** Number of rows of a part of a table. */
const partRows = 40

/**
 * Starts a long table: parts below each other, which the browser lays out separately, with the column widths of the first one.
 * The first part stays in the page, with the header; each of the others is a group.
 */
export function openTable(head: string, page: ContainerPage): OpenContainer {
  const first = createGroup()
  first.element.classList.add('md-whole')
  const block = document.createElement('div')
  block.className = 'md'
  first.host.append(block)
  page.begin(first)
  let table: HTMLTableElement | null = null
  let body = document.createElement('tbody')
  /** The part that is being written, unless it is the first one. */
  let part: Group | null = null
  let rows = 0
  let widths: readonly number[] = []
  const last = document.createElement('tbody')

  function* begin(): Steps {
    const box = tableBox(page.words)
    const made = document.createElement('table')
    box.append(made)
    block.append(box)
    table = made
    yield* page.put({ kind: 'head', text: head }, first, made)
    made.append(body, last)
  }
  /** Fixes the column widths of this part and the following ones. */
  const beginPart = (before: HTMLTableElement): void => {
    if (part) page.fill(part)
    const isFirst = widths.length === 0
    if (isFirst) {
      const heads = [...before.querySelectorAll('th')]
      widths = heads.map((one) => one.getBoundingClientRect().width)
      fix(before, widths)
    }
    const next = document.createElement('table')
    const again = headOf(before)
    body = document.createElement('tbody')
    next.append(again, body, last)
    fix(next, widths)
    part = createGroup(next, body)
    part.element.className = 'md-more-rows'
    part.element.style.width = next.style.width
    const place = isFirst ? before : before.parentElement
    place?.after(part.element)
    page.watch(part)
    table = next
  }
  return {
    *more(text) {
      if (!table) yield* begin()
      if (rows >= partRows && table) {
        rows = 0
        beginPart(table)
        yield 1
      }
      rows += text.split('\n').length - 1
      yield* page.put({ kind: 'rows', text, head }, part ?? first, body)
      last.replaceChildren()
    },
    *inside(text) {
      if (!table) yield* begin()
      const { fragment } = yield* page.preview({ kind: 'rows', text, head })
      patch(last, fragment)
      yield 1
    },
    loose: () => undefined,
    close() {
      last.remove()
      if (part) page.fill(part)
    },
  }
}

/** The text of a table's header, for screen readers at the start of a part. */
function headOf(table: HTMLTableElement): HTMLTableSectionElement {
  const head = document.createElement('thead')
  const row = head.insertRow()
  for (const { textContent } of table.querySelectorAll('th')) {
    const cell = document.createElement('th')
    cell.textContent = textContent
    row.append(cell)
  }
  return head
}

function fix(table: HTMLTableElement, widths: readonly number[]): void {
  const columns = document.createElement('colgroup')
  for (const width of widths) {
    const column = document.createElement('col')
    column.style.width = `${width}px`
    columns.append(column)
  }
  table.prepend(columns)
  table.style.tableLayout = 'fixed'
  table.style.width = `${widths.reduce((sum, width) => sum + width, 0)}px`
}
