import { elementsOf, elementsOfStep } from './render-queue.ts'

/** Nodes that are put into the page together, and where. */
export interface NodeBatch {
  readonly into: Node & ParentNode
  readonly nodes: readonly Node[]
  readonly elements: number
}

/**
 * Takes nodes apart into pieces that the browser lays out in little time each: rows of a long table, lines of a long list. Put in
 * one after the other in this order they are what they were.
 */
export function* batchesOf(
  nodes: readonly Node[],
  into: Node & ParentNode,
  maxElements = elementsOfStep,
): Generator<NodeBatch, void> {
  let group: Node[] = []
  let elements = 0
  for (const node of nodes) {
    const own = elementsOf(node)
    if (group.length > 0 && elements + own > maxElements) {
      yield { into, nodes: group, elements }
      group = []
      elements = 0
    }
    if (own <= maxElements || !(node instanceof Element)) {
      group.push(node)
      elements += own
      continue
    }
    const children = [...node.childNodes]
    node.replaceChildren()
    yield { into, nodes: [node], elements: 1 }
    yield* batchesOf(children, node, maxElements)
  }
  if (group.length > 0) yield { into, nodes: group, elements }
}
