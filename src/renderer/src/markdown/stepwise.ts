import { batchesOf, type NodeBatch } from './fragments.ts'
import { elementsOfStep, type Steps } from './render-queue.ts'

/** Inserts nodes into the page, one part in each step. */
export type Put = (nodes: readonly Node[], into: Node & ParentNode) => Steps

/** Content that is inserted into the page in steps. */
export interface StepByStep {
  /**
   * Continues while `shouldContinue`, which gets the number of elements inserted since the call, returns true; returns true when all is
   * inserted. A step takes a few milliseconds, and the browser's layout of the inserted elements about as long.
   */
  readonly drawMore: (shouldContinue: (put: number) => boolean) => boolean
  /** Empties large content when it leaves the page: it is inserted again in steps later. */
  readonly takeOut: () => void
}

/** Prepares the work of `build`; nothing is done yet. */
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
    drawMore(shouldContinue) {
      let put = 0
      while (shouldContinue(put)) {
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

/** Inserts the earlier parts again, and then the rest. */
function* again(batches: readonly NodeBatch[], rest: Steps): Steps {
  for (const { into, nodes, elements } of batches) {
    into.append(...nodes)
    yield elements
  }
  yield* rest
}
