import type { Steps } from '../steps.ts'
import type { ContainerPage, OpenContainer } from './containers.ts'
import { createGroup } from './groups.ts'
import { patch } from './patch.ts'

/** Rows of a part of a table. */
const partRows = 40

/** Begins a long table: parts of it below each other, which the browser lays out by themselves, with the columns of the first one. */
export function openTable(head: string, page: ContainerPage): OpenContainer {
  const group = createGroup()
  const block = document.createElement('div')
  block.className = 'md'
  group.host.append(block)
  page.begin(group)
  let table: HTMLTableElement | null = null
  let body = document.createElement('tbody')
  let rows = 0
  let widths: readonly number[] = []
  const last = document.createElement('tbody')

  function* begin(): Steps {
    const { fragment } = yield* page.preview({ kind: 'block', text: head })
    block.append(...(fragment.querySelector('.md')?.childNodes ?? []))
    table = block.querySelector('table')
    table?.append(body, last)
  }
  /** The columns stay as wide as they are, in this part and those after it. */
  const goOn = (before: HTMLTableElement): void => {
    if (widths.length === 0) {
      const heads = [...before.querySelectorAll('th')]
      widths = heads.map((one) => one.getBoundingClientRect().width)
      fix(before, widths)
    }
    const next = document.createElement('table')
    const again = before.querySelector('thead')?.cloneNode(true)
    if (again) next.append(again)
    next.className = 'md-more-rows'
    fix(next, widths)
    body = document.createElement('tbody')
    next.append(body, last)
    before.after(next)
    table = next
  }
  return {
    *more(text) {
      if (!table) yield* begin()
      if (rows >= partRows && table) {
        rows = 0
        goOn(table)
        yield 1
      }
      rows += text.split('\n').length - 1
      yield* page.put({ kind: 'rows', text, head }, group, body)
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
      page.fill(group)
    },
  }
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
