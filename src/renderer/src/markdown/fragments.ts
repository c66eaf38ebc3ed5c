import { elementsOf, elementsOfStep } from './render-queue.ts'

/** Nodes that are put into the page together, and where. */
export interface Piece {
  readonly into: Node & ParentNode
  readonly nodes: readonly Node[]
  readonly elements: number
}

/**
 * Takes nodes apart into pieces that the browser lays out in little time each: rows of a long table, lines of a long list. Put in
 * one after the other in this order they are what they were.
 */
export function* piecesOf(
  nodes: readonly Node[],
  into: Node & ParentNode,
  most = elementsOfStep,
): Generator<Piece, void> {
  let group: Node[] = []
  let elements = 0
  for (const node of nodes) {
    const own = elementsOf(node)
    if (group.length > 0 && elements + own > most) {
      yield { into, nodes: group, elements }
      group = []
      elements = 0
    }
    if (own <= most || !(node instanceof Element)) {
      group.push(node)
      elements += own
      continue
    }
    const children = [...node.childNodes]
    node.replaceChildren()
    yield { into, nodes: [node], elements: 1 }
    yield* piecesOf(children, node, most)
  }
  if (group.length > 0) yield { into, nodes: group, elements }
}
