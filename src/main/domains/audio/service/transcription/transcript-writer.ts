import type {
  Flag,
  Meeting,
  SegmentVersion,
  Segment,
  Span,
} from '../../../../../shared/model/meeting.ts'
import type { Around, MeetingStore, NewLine } from '../../store/meetings-types.ts'
import { linesOf, type TimedText } from './lines.ts'
import { findSeam, withoutFalseCapital } from './seams.ts'
import { plainWords, weightOf, wordsOf } from './word-units.ts'

/** Transcript changes of one transcription. */
interface WrittenUp {
  readonly lines: readonly NewLine[]
  readonly flags: readonly Flag[]
}

/**
 * Converts a transcription to lines: text from both sides of a forced cut appears once, false capitals are removed, lines have
 * estimated times, and text that was only picked up from the loudspeakers is flagged. The stored transcription keeps every word.
 */
export function writeUp(
  store: Pick<MeetingStore, 'version'>,
  meeting: Meeting,
  around: Around,
  segment: Segment,
  version: Pick<SegmentVersion, 'text' | 'flags' | 'model' | 'accountName'>,
): WrittenUp {
  const flags = new Set(version.flags)
  const trimmed = overSeams(store, around, segment, version.text, flags)
  const timedTexts = linesOf(trimmed.text, trimmed.span, segment.voiced)
  const isMic = meeting.channels[segment.channel] === 'mic'
  const echoes = isMic ? echoesOf(timedTexts, timedTextsOf(store, around.across)) : []
  if (echoes.includes(true)) flags.add('echo')
  const own = Array.from(flags).filter((flag) => flag !== 'echo')
  const lines = timedTexts.map((timedText, at) => ({
    ...timedText,
    segmentId: segment.id,
    channel: segment.channel,
    // The store assigns a line without a speaker to the channel's own speaker.
    speakerId: meeting.speakers.find(({ channel }) => channel === segment.channel)?.id ?? '',
    flags: echoes[at] ? [...own, 'echo' as const] : own,
    model: version.model,
    accountName: version.accountName,
  }))
  return { lines, flags: Array.from(flags) }
}

/** The microphone segments among `across` that repeat this text of the others. */
export function echoedBy(
  store: Pick<MeetingStore, 'version'>,
  meeting: Meeting,
  across: readonly Segment[],
  lines: readonly TimedText[],
): readonly Segment[] {
  return across.filter(
    (segment) =>
      meeting.channels[segment.channel] === 'mic' &&
      !segment.flags.includes('echo') &&
      echoesOf(timedTextsOf(store, [segment]), lines).includes(true),
  )
}

/** The text of a segment's current version; empty without one. */
const textOf = (store: Pick<MeetingStore, 'version'>, segment: Segment): string =>
  segment.versionId === null ? '' : (store.version(segment.versionId)?.text ?? '')

const timedTextsOf = (
  store: Pick<MeetingStore, 'version'>,
  segments: readonly Segment[],
): readonly TimedText[] =>
  segments.flatMap((segment) => linesOf(textOf(store, segment), segment, segment.voiced))

/** The text without words that its neighbors already contain; the later transcription is shortened. */
function overSeams(
  store: Pick<MeetingStore, 'version'>,
  { before, after }: Around,
  segment: Segment,
  transcript: string,
  flags: Set<Flag>,
): { readonly text: string; readonly span: { readonly startMs: number; readonly endMs: number } } {
  let text = transcript
  let { startMs, endMs } = segment
  const note = (seam: { readonly unsure: boolean }, dropped: boolean): void => {
    if (dropped) flags.add('seam')
    else if (seam.unsure) flags.add('seam-unsure')
  }
  if (segment.forcedStart && before && text !== '') {
    const left = textOf(store, before)
    const seam = findSeam(left, text)
    note(seam, seam.rightFrom > 0)
    if (seam.rightFrom > 0) {
      text = text.slice(seam.rightFrom).replace(/^[\s\p{Po}]+/u, '')
      startMs = Math.min(Math.max(startMs, before.endMs), endMs - 1)
    } else text = withoutFalseCapital(left, text)
  }
  if (segment.forcedEnd && after && text !== '') {
    const seam = findSeam(text, textOf(store, after))
    note(seam, seam.rightFrom > 0)
    if (seam.rightFrom > 0) {
      text = text.slice(0, seam.leftTo).trimEnd()
      endMs = Math.max(Math.min(endMs, after.startMs), startMs + 1)
    }
  }
  return { text, span: { startMs, endMs } }
}

/** Time tolerance: loudspeakers reach the microphone at once, but times inside a segment are estimated. */
const windowMs = 4_000
/** Minimum length in words: both sides may say shorter texts ("yes, thank you"); characters without spaces count half. */
const minWeight = 4

/**
 * Returns which lines of the microphone repeat what the others said at the same moment, because the microphone picked up the
 * loudspeakers (service-notes 17.4). Only text is conclusive; the audio of real speech correlates as well.
 */
function echoesOf(mine: readonly TimedText[], others: readonly TimedText[]): readonly boolean[] {
  return mine.map((line) => {
    const words = wordsOf(line.text)
    if (weightOf(words) < minWeight) return false
    const near = others.filter((other) => isNear(line, other))
    // Lines are split differently on the other side: what counts is whether the words occur there in sequence.
    const text = near.flatMap((other) => plainWords(other.text))
    return isSimilarText(
      words.map((word) => word.text),
      text,
    )
  })
}

const isNear = (a: Span, b: Span): boolean =>
  a.startMs < b.endMs + windowMs && b.startMs < a.endMs + windowMs

/** Minimum share of the words that must occur in the other text, in order and close together. */
const minShare = 0.8

/** Whether at least four fifths of the words occur in the other text in the same order, with little in between. */
function isSimilarText(words: readonly string[], text: readonly string[]): boolean {
  const window = Math.ceil(words.length * 1.3)
  for (let from = 0; from < Math.max(1, text.length - words.length + 1); from++) {
    const part = text.slice(from, from + window)
    if (commonLength(words, part) >= words.length * minShare) return true
  }
  return false
}

/** Length of the longest common subsequence. */
function commonLength(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, () => 0)
  for (const word of a) {
    const next = [0]
    for (const [at, other] of b.entries()) {
      const best = Math.max(row[at + 1] ?? 0, next[at] ?? 0)
      next.push(word === other ? (row[at] ?? 0) + 1 : best)
    }
    row = next
  }
  return row.at(-1) ?? 0
}
