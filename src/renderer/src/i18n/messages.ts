import type { en } from './en/index.ts'

/** The same tree with any text at its leaves: what a translation must fill. */
type Words<T> = { readonly [K in keyof T]: T[K] extends string ? string : Words<T[K]> }

/** Shape of every catalogue, taken from the English one: a missing or extra key does not compile. */
export type Messages = Words<typeof en>
