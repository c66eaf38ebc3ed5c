import { diffArrays } from 'diff'
import type { BlockChange } from '../../../shared/bridge/documents.ts'
import { tokensOf } from './block-similarity.ts'

/**
 * Words of two texts, in order, by their side; null when the texts are too long or too different to compare.
 */
export type Words = BlockChange['words']

/** Maximum number of characters of both texts together: a block is rarely longer, and the caller waits. */
const maxCharacters = 20_000
/** Maximum number of changed words in one block: the cost of comparing is quadratic. */
const maxChanges = 250

/** Compares texts word by word, within a limit for all texts of a page together. */
export interface WordComparer {
  compare(left: string, right: string): Words
}

/** Creates a comparer; `budget` is the number of changed words over all texts. */
export function createWordComparer(budget = 2000): WordComparer {
  let rest = budget
  return {
    compare(left, right) {
      if (left.length + right.length > maxCharacters || rest <= 0) return null
      const maxEdits = Math.min(maxChanges, rest)
      const parts = diffArrays([...tokensOf(left)], [...tokensOf(right)], {
        maxEditLength: maxEdits,
      })
      if (!parts) {
        rest -= maxEdits
        return null
      }
      const words: { text: string; side: 'both' | 'left' | 'right' }[] = []
      for (const { added, removed, value } of parts) {
        if (added || removed) rest -= value.length
        words.push({ text: value.join(''), side: added ? 'right' : removed ? 'left' : 'both' })
      }
      return words
    },
  }
}
