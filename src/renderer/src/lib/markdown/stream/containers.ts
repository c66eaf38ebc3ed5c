import type { Steps } from '../render-steps.ts'
import { codeFrame } from './code-frame.ts'
import { tableBox, type DrawnFragment } from './draw-fragment.ts'
import type { Container } from './split-fragments.ts'
import type { FragmentSource } from './fragment-tokens.ts'
import { createGroup, type Group } from './mounted-fragments.ts'
import { languageOf } from './html.ts'
import { patch } from './patch.ts'
import type { AnswerLabels } from './stream-context.ts'

/** A long block that is drawn in parts. */
export interface OpenContainer {
  more(text: string): Steps
  /** Shows its unsettled part. */
  inside(text: string): Steps
  /** Whether the list is loose, with spacing between items. */
  loose(apart: boolean): void
  close(): void
}

/** Functions for drawing a container. */
export interface ContainerPage {
  readonly words: AnswerLabels
  /** Adds a new group at the end of the answer. */
  begin(group: Group): void
  /** Watches a new group inside an existing one. */
  watch(group: Group): void
  /** Marks a group as complete. */
  fill(group: Group): void
  /** Draws a piece into a group and retains it; `into` if that is not its host. */
  put(source: FragmentSource, group: Group, into?: HTMLElement): Steps
  /** Draws a piece that will be drawn again. */
  preview(source: FragmentSource): Steps<DrawnFragment>
  /** Reports complete code. */
  closed(frame: HTMLElement): void
}

/** Characters of a part of a list, and of code. */
const partLetters = 6000
const codeLetters = 3000

/** Starts a container in the page. */
export function openContainer(container: Container, page: ContainerPage): OpenContainer {
  switch (container.kind) {
    case 'fence':
      return openFence(container.info, page)
    case 'list':
      return openList(container, page)
    case 'table':
      return openTable(container.head, page)
  }
}

function openFence(info: string, page: ContainerPage): OpenContainer {
  const { element, code } = codeFrame(languageOf(info), page.words)
  element.classList.add('md-long')
  const group = createGroup()
  group.host.append(element)
  page.begin(group)
  let part = document.createElement('span')
  let letters = 0
  const end = new Text('')
  const begin = (): void => {
    part = document.createElement('span')
    part.className = 'md-lines'
    letters = 0
    code.append(part)
    part.append(end)
  }
  begin()
  return {
    *more(text) {
      for (let from = 0; from < text.length;) {
        if (letters >= codeLetters) begin()
        const lineEnd = text.indexOf('\n', Math.min(text.length, from + codeLetters - letters))
        const past = lineEnd === -1 ? text.length : lineEnd + 1
        end.before(text.slice(from, past))
        letters += past - from
        from = past
        yield 1
      }
    },
    *inside(text) {
      if (text.startsWith(end.data)) end.appendData(text.slice(end.data.length))
      else end.data = text
      yield 1
    },
    loose: () => undefined,
    close() {
      end.remove()
      page.fill(group)
      page.closed(element)
    },
  }
}

function openList(
  { ordered, start }: { readonly ordered: boolean; readonly start: number },
  page: ContainerPage,
): OpenContainer {
  let items = 0
  let apart = false
  const lists: HTMLElement[] = []
  const list = (): HTMLElement => {
    const element = document.createElement(ordered ? 'ol' : 'ul')
    if (ordered) element.setAttribute('start', String(start + items))
    return element
  }
  const boxed = (inner: HTMLElement): HTMLElement => {
    const box = document.createElement('div')
    box.className = apart ? 'md' : 'md md-tight'
    box.append(inner)
    lists.push(box)
    return box
  }
  let group: Group | null = null
  const begin = (): Group => {
    if (group) page.fill(group)
    const part = list()
    const made = createGroup(boxed(part), part)
    made.element.classList.add(items === 0 ? 'md-part' : 'md-goes-on')
    page.begin(made)
    group = made
    return made
  }
  const last = list()
  const lastBox = boxed(last)
  lastBox.classList.add('md-goes-on')
  return {
    *more(text) {
      const into = group && group.letters < partLetters ? group : begin()
      yield* page.put({ kind: 'item', text }, into)
      items += 1
      if (ordered) last.setAttribute('start', String(start + items))
      last.replaceChildren()
      into.element.append(lastBox)
    },
    *inside(text) {
      const { fragment } = yield* page.preview({ kind: 'block', text })
      const drawn = fragment.querySelector('ul, ol')
      if (drawn) patch(last, drawn)
      if (!group) begin().element.append(lastBox)
      yield 1
    },
    loose(on) {
      if (on === apart) return
      apart = on
      for (const box of lists) box.classList.toggle('md-tight', !on)
    },
    close() {
      lastBox.remove()
      if (group) page.fill(group)
    },
  }
}

/** Number of rows of a part of a table. */
const partRows = 40

/**
 * Starts a long table: parts below each other, which the browser lays out separately, with the column widths of the first one.
 * The first part stays in the page, with the header; each of the others is a group.
 */
function openTable(head: string, page: ContainerPage): OpenContainer {
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
