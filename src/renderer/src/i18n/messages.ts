import type { en } from './en/index.ts'

/** The same tree with any text at its leaves: the shape of a translation. */
type Words<T> = { readonly [K in keyof T]: T[K] extends string ? string : Words<T[K]> }

/** Shape of every catalog, taken from the English one: a missing or extra key does not compile. */
export type Messages = Words<typeof en>
