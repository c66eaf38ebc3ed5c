import { diffArrays } from 'diff'
import type { SegmentVersion } from '../../../../../shared/model/meeting.ts'
import type { DiffPart } from '../../../kit/text-parts.ts'

/** Words, single characters of scripts without spaces, and everything between them. */
const tokens = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]|[\p{L}\p{N}\p{M}'’]+|\s+|./gu

/** Returns the differences of two texts, word by word; in Chinese, Japanese and Korean character by character. */
export function diffParts(before: string, after: string): readonly DiffPart[] {
  const parts = diffArrays(before.match(tokens) ?? [], after.match(tokens) ?? [])
  const diff: DiffPart[] = []
  let removed = ''
  let added = ''
  const put = (kind: DiffPart['kind'], text: string): void => {
    if (text === '') return
    const last = diff.at(-1)
    if (last?.kind === kind) diff[diff.length - 1] = { kind, text: last.text + text }
    else diff.push({ kind, text })
  }
  const putChange = (): void => {
    const end = removed && added ? spaceAtBothEnds(removed, added) : ''
    put('removed', removed.slice(0, removed.length - end.length))
    put('added', added.slice(0, added.length - end.length))
    put('same', end)
    removed = ''
    added = ''
  }
  for (const [at, { added: isAdded, removed: isRemoved, value }] of parts.entries()) {
    const text = value.join('')
    if (isRemoved) removed += text
    else if (isAdded) added += text
    // Words with an unchanged space between them were replaced as a phrase, and are treated as one.
    else if (removed && added && text.trim() === '' && at < parts.length - 1) {
      removed += text
      added += text
    } else {
      putChange()
      put('same', text)
    }
  }
  putChange()
  return isOther(diff, before, after)
    ? [
        { kind: 'removed', text: before },
        { kind: 'added', text: after },
      ]
    : diff
}

/**
 * Returns the differences between a version and the text of the transcript in chronological order: a suggestion is the new
 * text, an earlier version is the old text.
 */
export const versionParts = (
  { state, text }: Pick<SegmentVersion, 'state' | 'text'>,
  currentText: string,
): readonly DiffPart[] =>
  state === 'proposed' || state === 'declined'
    ? diffParts(currentText, text)
    : diffParts(text, currentText)

/** Minimum share of common letters for a combined view; other texts are easier to read one after the other. */
const minShared = 0.3

/** Whether two texts have so little in common that marks would only be noise. */
function isOther(diff: readonly DiffPart[], before: string, after: string): boolean {
  const letters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0
  if (letters(before) === 0 || letters(after) === 0) return false
  const shared = diff.reduce(
    (sum, { kind, text }) => sum + (kind === 'same' ? letters(text) : 0),
    0,
  )
  return shared < minShared * Math.max(letters(before), letters(after))
}

/** Returns the space that both texts end with; empty if one does not. */
function spaceAtBothEnds(one: string, other: string): string {
  const end = /\s*$/.exec(one)?.[0] ?? ''
  return end !== one && end !== other && other.endsWith(end) ? end : ''
}
