import { rangesText, type PageRange } from '../../../../shared/document/ranges.ts'
import type {
  DocumentVersion,
  PageCounts,
  VersionState,
} from '../../../../shared/model/document.ts'

/** Whether a parse goes on by itself. */
export const isRunning = (state: VersionState): boolean =>
  state === 'waiting' || state === 'running'

/** Whether pages are missing that somebody may want to send again. */
export const needsUser = (version: Pick<DocumentVersion, 'counts' | 'state'>): boolean =>
  !isRunning(version.state) && version.counts.returned < version.counts.asked

/** Share of the pages that are through, 0 to 1: returned, failed and cancelled ones alike. */
export function shareDone({ asked: requested, waiting }: PageCounts): number {
  return requested === 0 ? 1 : (requested - waiting) / requested
}

/** Pages for people to read: "3, 7-9, 20"; at most `most` stretches, then an ellipsis. */
export const shortRanges = (ranges: readonly PageRange[], max = 8): string =>
  rangesText(ranges.slice(0, max)) + (ranges.length > max ? ', …' : '')
