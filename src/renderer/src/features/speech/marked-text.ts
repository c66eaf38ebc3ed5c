import type { CheckDifference, SpeechTake } from '../../../../shared/model/speech.ts'

/** A stretch of a piece's text: as written, or different from what was heard. */
export interface MarkedPart {
  readonly kind: 'plain' | CheckDifference['kind']
  readonly text: string
  /** What was heard there. */
  readonly transcribed: string
}

/** A text with its differences in place. What was added has no text of its own. */
export function markedParts(
  text: string,
  marks: readonly CheckDifference[],
): readonly MarkedPart[] {
  const parts: MarkedPart[] = []
  let at = 0
  const plain = (to: number): void => {
    if (to > at) parts.push({ kind: 'plain', text: text.slice(at, to), transcribed: '' })
    at = Math.max(at, to)
  }
  for (const { kind, from, to, heard } of marks) {
    plain(from)
    parts.push({ kind, text: text.slice(Math.max(at, from), to), transcribed: heard })
    at = Math.max(at, to)
  }
  plain(text.length)
  return parts
}

/** The differences that belong to a text: none where the take said another one. */
export function marksOf(text: string, take: SpeechTake | null): readonly CheckDifference[] {
  if (take?.check?.state !== 'heard' || take.text.trim() !== text.trim()) return []
  return take.check.marks
}
