import { defaultMerging } from '../search-merge.ts'
import type { Migration } from './index.ts'

/**
 * The search index no longer merges its segments during other writes: one in many writes took a tenth of a second, and more
 * in a large library. `mergeSearch` merges in small steps when idle.
 */
export const searchMerges: Migration = { version: 90, up: defaultMerging }
