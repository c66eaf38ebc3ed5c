import { batchesOf } from '../fragments.ts'
import type { Steps } from '../render-queue.ts'
import type { Dressed } from './decorate-fragment.ts'
import type { DrawnFragment } from './draw-fragment.ts'
import { empty, isBack, fragmentsAway, takeOut, type Group, type Unit } from './groups.ts'
import type { FragmentSource } from './fragment-tokens.ts'
import type { Work } from './render-work.ts'

/** How long content that moves fast past the view must stay there before its formulas and colors are drawn, in milliseconds. */
const hastyMs = 400

/** Dependencies for mounting pieces. */
export interface FragmentPage {
  readonly work: Work
  readonly draw: (source: FragmentSource) => Steps<DrawnFragment>
  /** Draws formulas, colors and diagrams near the view. */
  readonly enhance: (what: Dressed) => Steps
  /** Whether content in view will soon be scrolled past: a long answer is being followed. */
  readonly isHasty: () => boolean
  /** Whether the answer is so long that content far from the view is unmounted. */
  readonly isLong: () => boolean
}

/** The pieces of an answer in the page: inserted, redrawn, unmounted far from the view and restored. */
export interface MountedFragments {
  /** Draws a piece into a group and retains it. */
  put(source: FragmentSource, group: Group, into?: HTMLElement): Steps
  /** Redraws a piece in its place. */
  again(unit: Unit, group: Group): Steps
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
      // A fast scroll passes before it is complete: it is restored completely or not at all.
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

/** Whether it has the focus, or an end of the selection: both would be lost with it. */
function isHeld(element: HTMLElement): boolean {
  const { anchorNode = null, focusNode = null } = document.getSelection() ?? {}
  return [document.activeElement, anchorNode, focusNode].some((one) => element.contains(one))
}

function* nothing(): Steps {
  yield 0
}
