/** Work in small steps; each step yields the number of elements it inserted into the page. */
export type Steps<T = void> = Generator<number, T>

/** Number of elements sanitized, or inserted into the page, in one step. */
export const elementsOfStep = 50

/**
 * Counts a node's elements, including itself; a form's fields cannot shadow the method used. A live list would
 * stay in memory with each element.
 */
export const elementsOf = (node: Node): number =>
  node instanceof Element ? 1 + Element.prototype.querySelectorAll.call(node, '*').length : 0

/** Nodes that are inserted into the page together, and their parent. */
export interface NodeBatch {
  readonly into: Node & ParentNode
  readonly nodes: readonly Node[]
  readonly elements: number
}

/**
 * Splits nodes into parts that the browser lays out quickly: rows of a long table, items of a long list. Inserted one after
 * the other in this order, they form the original nodes.
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
