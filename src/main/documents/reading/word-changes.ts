import { diffArrays } from 'diff'
import type { BlockChange } from '../../../shared/bridge/documents.ts'
import { tokensOf } from './block-similarity.ts'

/** Words of two texts, in order, by the side they stand on; null when the texts are too long or too different to be told apart. */
export type Words = BlockChange['words']

/** Characters of both texts together that are compared: a block is rarely longer, and the caller waits. */
const maxCharacters = 20_000
/** Changed words of one block: comparing costs the square of them. */
const maxChanges = 250

/** Compares texts word by word, within a bound for all texts of a page together. */
export interface WordComparer {
  compare(left: string, right: string): Words
}

/** Makes a comparer; `budget` is the number of changed words it goes into, over all texts. */
export function createWordComparer(budget = 2000): WordComparer {
  let rest = budget
  return {
    compare(left, right) {
      if (left.length + right.length > maxCharacters || rest <= 0) return null
      const maxEdits = Math.min(maxChanges, rest)
      const parts = diffArrays([...tokensOf(left)], [...tokensOf(right)], { maxEditLength: maxEdits })
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
