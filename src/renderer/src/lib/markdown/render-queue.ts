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
