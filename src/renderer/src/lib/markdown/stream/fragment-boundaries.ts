/** A long block that is emitted in parts. */
export type Container =
  | { readonly kind: 'fence'; readonly info: string }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly start: number }
  | { readonly kind: 'table'; readonly head: string }

/** Parts of a text, in order. */
export type Cut =
  /** A settled block, as its source. */
  | { readonly kind: 'block'; readonly text: string }
  | { readonly kind: 'open'; readonly container: Container }
  /** Content of the open container: lines of code without their indent, an item, or rows. */
  | { readonly kind: 'more'; readonly text: string }
  /** The open list is loose: its items are spaced, including the earlier ones. */
  | { readonly kind: 'loose' }
  | { readonly kind: 'close' }

/** The unsettled end of a text. */
export interface Tail {
  /** Unsettled text of the open container, if there is one. */
  readonly inside: string
  /** Whether the open list appears to be loose. */
  readonly loose: boolean
  /** Blocks after it. */
  readonly blocks: readonly string[]
}
