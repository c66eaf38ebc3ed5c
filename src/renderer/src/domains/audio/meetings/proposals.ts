import { joinTexts } from '../../../../../shared/text/join.ts'
import type { Line, SegmentVersion, Segment } from '../../../../../shared/model/meeting.ts'
import type { DiffPart } from '../../../kit/text-parts.ts'
import { diffParts } from './diff-rows.ts'

/** A suggestion with the current text of the transcript. */
export interface ProposalRow {
  readonly version: SegmentVersion
  readonly segment: Segment
  /** Speakers of the current lines, in order. */
  readonly speakerIds: readonly string[]
  /** The current text, and what would change in it. */
  readonly before: string
  readonly parts: readonly DiffPart[]
  /** Whether the user edited this text. */
  readonly edited: boolean
  readonly transcribedBy: string
}

/** Returns the text of a segment in the transcript. */
export function currentText(lines: readonly Line[], segmentId: string): string {
  return joinTexts(lines.filter((line) => line.segmentId === segmentId).map(({ text }) => text))
}

/**
 * Returns suggestions in order of time, each with the text it would replace. One with an unknown segment is left out.
 */
export function proposalRows(
  proposals: readonly SegmentVersion[],
  segmentById: ReadonlyMap<string, Segment>,
  lines: readonly Line[],
): readonly ProposalRow[] {
  const wanted = new Set(proposals.map(({ segmentId }) => segmentId))
  const linesOf = new Map<string, Line[]>()
  for (const line of lines) {
    if (line.segmentId === null || !wanted.has(line.segmentId)) continue
    const some = linesOf.get(line.segmentId)
    if (some) some.push(line)
    else linesOf.set(line.segmentId, [line])
  }
  return proposals
    .flatMap((version): ProposalRow[] => {
      const segment = segmentById.get(version.segmentId)
      if (!segment) return []
      const own = linesOf.get(segment.id) ?? []
      const before = joinTexts(own.map(({ text }) => text))
      return [
        {
          version,
          segment,
          speakerIds: [...new Set(own.map(({ speakerId }) => speakerId))],
          before,
          parts: diffParts(before, version.text),
          edited: own.some(({ edited }) => edited),
          transcribedBy: version.accountName,
        },
      ]
    })
    .toSorted(
      (a, b) => a.segment.startMs - b.segment.startMs || a.segment.channel - b.segment.channel,
    )
}
