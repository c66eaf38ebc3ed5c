import type { DrawnFragment } from './draw-fragment.ts'
import { citeSigns } from './marks.ts'
import type { FragmentSource } from './fragment-tokens.ts'

/** A piece that is in the page. */
export interface Unit {
  readonly source: FragmentSource
  nodes: readonly ChildNode[]
  drawn: Omit<DrawnFragment, 'fragment'>
}

/** Pieces that stand in the page together; those far from what is seen may be taken out and come again. */
export interface Group {
  readonly element: HTMLElement
  /** Where its pieces stand, and nothing else. */
  readonly host: HTMLElement
  units: Unit[]
  letters: number
  /** No more comes into it. */
  full: boolean
  /** It is in view, or a few screens from it. */
  near: boolean
  /** Its pieces, while not all of them are in the page. */
  away: Uint8Array | null
}

const groupOf = new WeakMap<Element, Group>()

/** An empty group: `frame` stands in it, and in or at that its pieces in `host`. */
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

/** Takes the pieces of a group out of the page; its height stays. What is kept of them is their text, a byte a letter. */
export function takeOut(group: Group, height: number): void {
  group.away = encoder.encode(JSON.stringify(group.units.map(({ source }) => source)))
  group.element.style.height = `${height}px`
  group.element.classList.add('md-away')
  empty(group)
}

/** Takes out of the page what of a group has come back into it, when it is not wanted any more. */
export function empty(group: Group): void {
  group.units = []
  group.letters = 0
  group.host.replaceChildren()
}

/** The pieces of a group that was taken out. */
export function fragmentsAway(group: Group): readonly FragmentSource[] {
  const sources: unknown = group.away === null ? [] : JSON.parse(decoder.decode(group.away))
  return sources as readonly FragmentSource[]
}

/** All pieces of a group are in the page again: its room is its own. */
export function isBack(group: Group): void {
  group.away = null
  group.element.style.height = ''
  group.element.classList.remove('md-away')
}

/** Elements below one whose pieces are out of the page, in their order. */
export const elementsAway = (root: Element): NodeListOf<Element> =>
  root.querySelectorAll('.md-away')

/** What is written in the pieces of such an element, those in the page among them. */
export function textAway(element: Element): string {
  const group = groupOf.get(element)
  const texts = group ? fragmentsAway(group).map(({ text }) => text) : []
  return texts.join('').replaceAll(citeSigns, '')
}
