/** Work that is done a little at a time; each step tells how many elements it put into the page. */
export type Steps<T = void> = Generator<number, T>

/** Elements that are cleaned, or put into the page, in one step. */
export const elementsOfStep = 50

/**
 * Elements of a node and all below it, itself among them; a form's fields cannot stand in for what is asked. A list that lives on would
 * be kept with each element.
 */
export const elementsOf = (node: Node): number =>
  node instanceof Element ? 1 + Element.prototype.querySelectorAll.call(node, '*').length : 0
