import type { Flag, Meeting, SegmentVersion, Segment } from '../../../../shared/model/meeting.ts'
import type { MeetingStore, NewLine } from '../../../store/meetings-types.ts'
import { echoesOf } from './echo.ts'
import { linesOf, type TimedText } from './lines.ts'
import { findSeam, withoutFalseCapital } from './seams.ts'

/** What is around a segment: its neighbours on the channel, and what the other channel says at the same time. */
export interface Around {
  readonly before: Segment | null
  readonly after: Segment | null
  /** Segments of other channels that lie over it, or nearly. */
  readonly across: readonly Segment[]
}

/** What a reading becomes in the transcript. */
export interface WrittenUp {
  readonly lines: readonly NewLine[]
  readonly flags: readonly Flag[]
}

/**
 * Makes lines of a reading: what both sides of a forced cut heard stands once, a false capital goes, lines have estimated
 * times, and what only came over the speakers is flagged. The reading itself keeps every word.
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
    // The store gives a line nobody is named for to the channel's own speaker.
    speakerId: meeting.speakers.find(({ channel }) => channel === segment.channel)?.id ?? '',
    flags: echoes[at] ? [...own, 'echo' as const] : own,
    model: version.model,
    accountName: version.accountName,
  }))
  return { lines, flags: Array.from(flags) }
}

/** The segments of the microphone among `across` that repeat what this text of the others says. */
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

/** The text of a segment's current reading; empty without one. */
const textOf = (store: Pick<MeetingStore, 'version'>, segment: Segment): string =>
  segment.versionId === null ? '' : (store.version(segment.versionId)?.text ?? '')

const timedTextsOf = (
  store: Pick<MeetingStore, 'version'>,
  segments: readonly Segment[],
): readonly TimedText[] =>
  segments.flatMap((segment) => linesOf(textOf(store, segment), segment, segment.voiced))

/** The text without what its neighbours say already; the one that is heard later gives way. */
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
