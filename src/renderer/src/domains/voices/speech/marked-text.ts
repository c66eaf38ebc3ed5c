import type { CheckDifference, SpeechTake } from '../../../../../shared/model/speech.ts'

/** A part of a segment's text: as written, or different from the transcription. */
interface MarkedPart {
  readonly kind: 'plain' | CheckDifference['kind']
  readonly text: string
  /** The transcription of this part. */
  readonly transcribed: string
}

/** A text with its differences in place. An added difference has no text of its own. */
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

/** The differences that apply to a text: none if the take was made of another text. */
export function marksOf(text: string, take: SpeechTake | null): readonly CheckDifference[] {
  if (take?.check?.state !== 'heard' || take.text.trim() !== text.trim()) return []
  return take.check.marks
}
