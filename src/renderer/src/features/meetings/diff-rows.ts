import { diffArrays } from 'diff'

/** A piece of two texts laid over each other. */
export interface DiffPiece {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Words, single characters of scripts without spaces, and what stands between them. */
const tokens = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]|[\p{L}\p{N}\p{M}'’]+|\s+|./gu

/** What changes from one text to another, word by word; in Chinese, Japanese and Korean character by character. */
export function diffPieces(before: string, after: string): readonly DiffPiece[] {
  const parts = diffArrays(before.match(tokens) ?? [], after.match(tokens) ?? [])
  return parts.map(({ added, removed, value }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value.join(''),
  }))
}
