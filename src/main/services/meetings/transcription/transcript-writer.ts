import type { Flag, Meeting, SegmentVersion, Segment } from '../../../../shared/model/meeting.ts'
import type { MeetingStore, NewLine } from '../../../store/meetings-types.ts'
import { echoesOf } from './echo.ts'
import { linesOf, type TimedText } from './lines.ts'
import { findSeam, withoutFalseCapital } from './seams.ts'

/** Neighbors of a segment on its channel, and simultaneous segments of other channels. */
export interface Around {
  readonly before: Segment | null
  readonly after: Segment | null
  /** Segments of other channels that overlap it, or nearly. */
  readonly across: readonly Segment[]
}

/** Transcript changes of one transcription. */
export interface WrittenUp {
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
