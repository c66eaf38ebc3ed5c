import { rangesText, type PageRange } from '../../../../../shared/documents/ranges.ts'
import type {
  DocumentVersion,
  PageCounts,
  VersionState,
} from '../../../../../shared/model/document.ts'

/** Whether a parse is still in progress. */
export const isRunning = (state: VersionState): boolean =>
  state === 'waiting' || state === 'running'

/** Whether pages are missing that the user may want to send again. */
export const needsUser = (version: Pick<DocumentVersion, 'counts' | 'state'>): boolean =>
  !isRunning(version.state) && version.counts.returned < version.counts.asked

/** Returns the fraction of finished pages, 0 to 1: returned, failed and canceled ones. */
export function shareDone({ asked: requested, waiting }: PageCounts): number {
  return requested === 0 ? 1 : (requested - waiting) / requested
}

/** Formats pages for display: "3, 7-9, 20"; at most `most` ranges, then an ellipsis. */
export const shortRanges = (ranges: readonly PageRange[], max = 8): string =>
  rangesText(ranges.slice(0, max)) + (ranges.length > max ? ', …' : '')
