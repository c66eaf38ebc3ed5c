import { batchesOf } from '../fragments.ts'
import type { Steps } from '../render-queue.ts'
import type { Dressed } from './decorate-fragment.ts'
import type { DrawnFragment } from './draw-fragment.ts'
import { empty, isBack, fragmentsAway, takeOut, type Group, type Unit } from './groups.ts'
import type { FragmentSource } from './fragment-tokens.ts'
import type { Work } from './render-work.ts'

/** How long what hastens past the view must stay there until its formulas and colours are drawn, in milliseconds. */
const hastyMs = 400

/** What pieces are put into the page with. */
export interface FragmentPage {
  readonly work: Work
  readonly draw: (source: FragmentSource) => Steps<DrawnFragment>
  /** Draws formulas, colours and diagrams of what is near. */
  readonly enhance: (what: Dressed) => Steps
  /** Whether what is in view will soon be past it: a long answer is being followed. */
  readonly isHasty: () => boolean
  /** Whether the answer is so long that what is far from the view is taken out of the page. */
  readonly isLong: () => boolean
}

/** The pieces of an answer in the page: put there, drawn again, taken out far from the view and brought back. */
export interface MountedFragments {
  /** Draws a piece into a group and keeps it. */
  put(source: FragmentSource, group: Group, into?: HTMLElement): Steps
  /** Draws a piece once more, in its place. */
  again(unit: Unit, group: Group): Steps
  /** A group came near to the view. */
  entered(group: Group): void
  /** A group left it, with so much height in the page. */
  left(group: Group, height: number): void
}

/** Builds it. */
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
    // It may have left the page before its turn comes.
    const begin = (): void =>
      work.later(() => (group.units.includes(unit) ? enhance({ formulas, codes }) : nothing()))
    if (!isHasty()) return begin()
    setTimeout(() => {
      if (group.near) begin()
      else unit.drawn = { ...unit.drawn, formulas, codes }
    }, hastyMs)
  }
  function* put(source: FragmentSource, group: Group, into = group.host): Steps {
    const { fragment, ...drawn } = yield* draw(source)
    const nodes = [...fragment.childNodes]
    const unit: Unit = { source, nodes, drawn }
    group.units.push(unit)
    group.letters += source.text.length
    for (const part of batchesOf(nodes, into)) {
      part.into.append(...part.nodes)
      yield part.elements
    }
    if (group.near) enhanceUnit(unit, group)
  }
  function* restoreGroup(group: Group): Steps {
    if (!group.away) return
    for (const source of fragmentsAway(group)) {
      // Whoever scrolls fast is past it before all of it stands: it comes whole or not at all.
      if (!group.near) return empty(group)
      yield* put(source, group)
    }
    if (group.near) isBack(group)
    else empty(group)
  }
  const left = (group: Group, height: number): void => {
    if (!group.full || group.away || group.units.length === 0) return
    if (isLong() && height > 0 && !isHeld(group.element)) takeOut(group, height)
  }
  return {
    put,
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

/** Whether it has the keys, or an end of what is selected: both would be lost with it. */
function isHeld(element: HTMLElement): boolean {
  const { anchorNode = null, focusNode = null } = document.getSelection() ?? {}
  return [document.activeElement, anchorNode, focusNode].some((one) => element.contains(one))
}

function* nothing(): Steps {
  yield 0
}
