import { joinTexts } from '../../../../shared/text/join.ts'
import type { Line, SegmentVersion, Segment } from '../../../../shared/model/meeting.ts'
import { diffParts, type DiffPart } from './diff-rows.ts'

/** A new reading beside what stands in the transcript. */
export interface ProposalRow {
  readonly version: SegmentVersion
  readonly segment: Segment
  /** Speakers of the lines as they stand, in their order. */
  readonly speakerIds: readonly string[]
  /** The words that stand, and what would change in them. */
  readonly before: string
  readonly parts: readonly DiffPart[]
  /** The user changed these words. */
  readonly edited: boolean
  readonly transcribedBy: string
}

/** Words of a segment as they stand in the transcript. */
export function currentText(lines: readonly Line[], segmentId: string): string {
  return joinTexts(lines.filter((line) => line.segmentId === segmentId).map(({ text }) => text))
}

/** Proposals in the order of time, each beside what it would replace. One whose segment is not known yet is left out. */
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
