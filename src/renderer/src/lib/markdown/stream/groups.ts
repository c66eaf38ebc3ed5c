import type { DrawnFragment } from './draw-fragment.ts'
import { citeSigns } from './marks.ts'
import type { FragmentSource } from './fragment-tokens.ts'

/** A piece in the page. */
export interface Unit {
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
export function takeOut(group: Group, height: number): void {
  group.away = encoder.encode(JSON.stringify(group.units.map(({ source }) => source)))
  group.element.style.height = `${height}px`
  group.element.classList.add('md-away')
  empty(group)
}

/** Unmounts pieces of a group that were restored but are no longer needed. */
export function empty(group: Group): void {
  group.units = []
  group.letters = 0
  group.host.replaceChildren()
}

/** The pieces of an unmounted group. */
export function fragmentsAway(group: Group): readonly FragmentSource[] {
  const sources: unknown = group.away === null ? [] : JSON.parse(decoder.decode(group.away))
  return sources as readonly FragmentSource[]
}

/** Marks a group as completely restored: its height is automatic again. */
export function isBack(group: Group): void {
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
