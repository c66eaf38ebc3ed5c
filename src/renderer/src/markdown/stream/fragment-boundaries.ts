/** A long block that is given away in parts. */
export type Container =
  | { readonly kind: 'fence'; readonly info: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly start: number }
  | { readonly kind: 'table'; readonly head: string }

/** What a text is cut into, in its order. */
export type Cut =
  /** A block that is settled, as its source. */
  | { readonly kind: 'block'; readonly text: string }
  | { readonly kind: 'open'; readonly container: Container }
  /** Of the open container: lines of code without their indent, an item, or rows. */
  | { readonly kind: 'more'; readonly text: string }
  /** The items of the open list stand apart from each other, those before too. */
  | { readonly kind: 'loose' }
  | { readonly kind: 'close' }

/** What is not settled. */
export interface Tail {
  /** Of the open container, if one is. */
  readonly inside: string
  /** The open list stands apart, as far as can be seen. */
  readonly loose: boolean
  /** Blocks after it. */
  readonly blocks: readonly string[]
}
