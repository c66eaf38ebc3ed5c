import { batchesOf, type Steps } from '../render-steps.ts'
import type { Decorated, DrawnFragment } from './draw-fragment.ts'
import type { FragmentSource } from './fragment-tokens.ts'
import type { Work } from './render-work.ts'
import { citeSigns } from './marks.ts'

/** How long content that moves fast past the view must stay there before its formulas and colors are drawn, in milliseconds. */
const hastyMs = 400

/** Dependencies for mounting pieces. */
interface FragmentPage {
  readonly work: Work
  readonly draw: (source: FragmentSource) => Steps<DrawnFragment>
  /** Draws formulas, colors and diagrams near the view. */
  readonly enhance: (what: Decorated) => Steps
  /** Whether content in view will soon be scrolled past: a long answer is being followed. */
  readonly isHasty: () => boolean
  /** Whether the answer is so long that content far from the view is unmounted. */
  readonly isLong: () => boolean
}

/** The pieces of an answer in the page: inserted, redrawn, unmounted far from the view and restored. */
interface MountedFragments {
  /** Draws a piece into a group and retains it; only retains it if the group is unmounted. */
  put(source: FragmentSource, group: Group, into?: HTMLElement): Steps
  /** Redraws a piece in its place. */
  again(unit: Unit, group: Group): Steps
  /** Restores a group if it is unmounted. */
  restore(group: Group): Steps
  /** Called when a group comes near the view. */
  entered(group: Group): void
  /** Called when a group leaves it, with its height in the page. */
  left(group: Group, height: number): void
}

export function createMountedFragments({
  work,
  draw,
  enhance,
  isHasty,
  isLong,
}: FragmentPage): MountedFragments {
  const enhanceUnit = (unit: Unit, group: Group): void => {
    const { formulas, codes } = unit.drawn
    if (formulas.length + codes.length === 0) return
    unit.drawn = { ...unit.drawn, formulas: [], codes: [] }
    // It may have been removed from the page before its turn.
    const begin = (): void =>
      work.later(() => (group.units.includes(unit) ? enhance({ formulas, codes }) : nothing()))
    if (!isHasty()) return begin()
    setTimeout(() => {
      if (group.near) begin()
      else unit.drawn = { ...unit.drawn, formulas, codes }
    }, hastyMs)
  }
  function* put(source: FragmentSource, group: Group, into?: HTMLElement): Steps {
    group.letters += source.text.length
    if (!group.away) return yield* insert(source, group, into)
    setAway(group, [...fragmentsAway(group), source])
    group.element.style.height = `${group.letters * pixelsOfLetter}px`
    yield 0
  }
  function* insert(source: FragmentSource, group: Group, into = group.host): Steps {
    const { fragment, ...drawn } = yield* draw(source)
    const nodes = [...fragment.childNodes]
    const unit: Unit = { source, nodes, drawn }
    group.units.push(unit)
    for (const part of batchesOf(nodes, into)) {
      part.into.append(...part.nodes)
      yield part.elements
    }
    if (group.near) enhanceUnit(unit, group)
  }
  function* restoreGroup(group: Group): Steps {
    if (!group.away) return
    const isNeeded = (): boolean => group.near || !isLong()
    for (const source of fragmentsAway(group)) {
      // A fast scroll passes before it is complete: it is restored completely or not at all.
      if (!isNeeded()) return empty(group)
      yield* insert(source, group)
    }
    if (isNeeded()) markRestored(group)
    else empty(group)
  }
  const left = (group: Group, height: number): void => {
    if (!group.full || group.away || group.units.length === 0) return
    if (isLong() && height > 0 && !isHeld(group.element)) unmountGroup(group, height)
  }
  return {
    put,
    restore: restoreGroup,
    *again(unit, group) {
      if (!group.units.includes(unit)) return
      const { fragment, ...drawn } = yield* draw(unit.source)
      if (!group.units.includes(unit)) return
      const nodes = [...fragment.childNodes]
      const [first] = unit.nodes
      first?.before(...nodes)
      for (const node of unit.nodes) node.remove()
      unit.nodes = nodes
      unit.drawn = drawn
      if (group.near) enhanceUnit(unit, group)
    },
    entered(group) {
      if (group.away) work.soon(() => restoreGroup(group))
      else for (const unit of group.units) enhanceUnit(unit, group)
    },
    left,
  }
}

/** Whether it has the focus, or an end of the selection: both would be lost with it. */
function isHeld(element: HTMLElement): boolean {
  const { anchorNode = null, focusNode = null } = document.getSelection() ?? {}
  return [document.activeElement, anchorNode, focusNode].some((one) => element.contains(one))
}

function* nothing(): Steps {
  yield 0
}

/** A piece in the page. */
interface Unit {
  readonly source: FragmentSource
  nodes: readonly ChildNode[]
  drawn: Omit<DrawnFragment, 'fragment'>
}

/** Pieces that are in the page together; those far from the view may be unmounted and restored. */
export interface Group {
  readonly element: HTMLElement
  /** Container of its pieces, and nothing else. */
  readonly host: HTMLElement
  units: Unit[]
  letters: number
  /** Whether it is complete. */
  full: boolean
  /** Whether it is in view, or a few screens from it. */
  near: boolean
  /** Its encoded pieces, while not all of them are in the page. */
  away: Uint8Array | null
}

const groupOf = new WeakMap<Element, Group>()

/** Creates an empty group: contains `frame`, whose `host` (or itself) contains the pieces. */
export function createGroup(frame?: HTMLElement, host = frame): Group {
  const element = document.createElement('div')
  element.className = 'md-group'
  if (frame) element.append(frame)
  const group: Group = {
    element,
    host: host ?? element,
    units: [],
    letters: 0,
    full: false,
    near: false,
    away: null,
  }
  groupOf.set(element, group)
  return group
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Unmounts the pieces of a group, keeping its height. Only their text is retained, encoded in bytes. */
function unmountGroup(group: Group, height: number): void {
  setAway(
    group,
    group.units.map(({ source }) => source),
  )
  group.element.style.height = `${height}px`
  group.element.classList.add('md-away')
  empty(group)
}

/** Height of a character in a group that was never drawn, in pixels: that of mixed prose. */
const pixelsOfLetter = 0.4

/** Makes a new group unmounted: its pieces are drawn when it comes near the view. */
export function startUnmounted(group: Group): void {
  setAway(group, [])
  group.element.classList.add('md-away')
}

function setAway(group: Group, sources: readonly FragmentSource[]): void {
  group.away = encoder.encode(JSON.stringify(sources))
}

/** Unmounts pieces of a group that were restored but are no longer needed. */
function empty(group: Group): void {
  group.units = []
  group.host.replaceChildren()
}

/** The pieces of an unmounted group. */
function fragmentsAway(group: Group): readonly FragmentSource[] {
  const sources: unknown = group.away === null ? [] : JSON.parse(decoder.decode(group.away))
  return sources as readonly FragmentSource[]
}

/** Marks a group as completely restored: its height is automatic again. */
function markRestored(group: Group): void {
  group.away = null
  group.element.style.height = ''
  group.element.classList.remove('md-away')
}

/** Descendant elements whose pieces are unmounted, in order. */
export const elementsAway = (root: Element): NodeListOf<Element> =>
  root.querySelectorAll('.md-away')

/** The text of such an element's pieces, including those in the page. */
export function textAway(element: Element): string {
  const group = groupOf.get(element)
  const texts = group ? fragmentsAway(group).map(({ text }) => text) : []
  return texts.join('').replaceAll(citeSigns, '')
}
