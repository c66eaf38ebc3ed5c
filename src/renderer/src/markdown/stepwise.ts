import { batchesOf, type NodeBatch } from './fragments.ts'
import { elementsOfStep, type Steps } from './render-queue.ts'

/** Puts nodes into the page, a piece in each step. */
export type Put = (nodes: readonly Node[], into: Node & ParentNode) => Steps

/** Something that comes into the page a little at a time. */
export interface StepByStep {
  /**
   * Goes on while `goOn` says so, told how many elements were put into the page since it was called; true when all is there.
   * A step takes a few milliseconds, and the browser's layout of what it put in about as long.
   */
  readonly drawMore: (goOn: (put: number) => boolean) => boolean
  /** Makes it empty again where it leaves the page, if it is large: it comes back a little at a time, as it came. */
  readonly takeOut: () => void
}

/** Begins what `build` does; nothing is done yet. */
export function inSteps(build: (put: Put) => Steps): StepByStep {
  const batches: NodeBatch[] = []
  let elements = 0
  const rest = build(function* put(nodes, into) {
    for (const batch of batchesOf(nodes, into)) {
      batches.push(batch)
      elements += batch.elements
      batch.into.append(...batch.nodes)
      yield batch.elements
    }
  })
  let steps = rest
  return {
    drawMore(goOn) {
      let put = 0
      while (goOn(put)) {
        const { done, value } = steps.next()
        if (done === true) return true
        put += value
      }
      return false
    },
    takeOut() {
      if (elements <= elementsOfStep) return
      for (const { nodes } of batches)
        for (const node of nodes) if (node.parentNode) node.parentNode.removeChild(node)
      steps = again([...batches], rest)
    },
  }
}

/** What was there already, and then what was not. */
function* again(batches: readonly NodeBatch[], rest: Steps): Steps {
  for (const { into, nodes, elements } of batches) {
    into.append(...nodes)
    yield elements
  }
  yield* rest
}
