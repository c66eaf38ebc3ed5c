import type { FormulaTrouble } from '../formula.ts'
import { limits } from '../limits.ts'
import { drawSlot } from '../put-formulas.ts'
import type { Steps } from '../steps.ts'
import type { Dressed } from './dress.ts'

/** Draws what waited until its block was whole and near: formulas, colours of code, diagrams. Ends early where it is not near any more. */
export type Enhancer = (what: Dressed, isNear: () => boolean) => Steps

/** Builds it. */
export function createEnhancer(words: Readonly<Record<FormulaTrouble, string>>): Enhancer {
  return function* enhance({ formulas }) {
    const small = formulas.length > limits.smallFormulas
    for (const slot of formulas) {
      const nodes = drawSlot(slot, words, small)
      if (nodes) slot.element.append(...nodes)
      yield 8
    }
  }
}
