import { defaultMerging } from '../search-merge.ts'
import type { Migration } from './index.ts'

/**
 * The index of the search no longer merges its pieces while something else is written: one write in many took a tenth of a
 * second, and more in a large library. `mergeSearch` does it in small steps when nothing else is to do.
 */
export const searchMerges: Migration = { version: 90, up: defaultMerging }
