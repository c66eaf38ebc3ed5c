import { rangesText, type PageRange } from '../../../../shared/document/ranges.ts'
import type {
  DocumentBrief,
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
export function shareDone({ asked, waiting }: PageCounts): number {
  return asked === 0 ? 1 : (asked - waiting) / asked
}

/** Pages for people to read: "3, 7-9, 20"; at most `most` stretches, then an ellipsis. */
export const shortRanges = (ranges: readonly PageRange[], most = 8): string =>
  rangesText(ranges.slice(0, most)) + (ranges.length > most ? ', …' : '')

/** What a list says of a document: a key of `document.state`, its number and how far it is. */
export interface DocumentRowState {
  readonly key: 'locked' | 'unparsed' | 'running' | 'missing'
  readonly value: number
  readonly tone: 'plain' | 'warn' | 'danger'
  /** 0 to 1 while it is parsed. */
  readonly progress?: number
}

/** What goes on with a document, or what it needs; null when all is there. */
export function documentState({ locked, state, counts }: DocumentBrief): DocumentRowState | null {
  if (locked) return { key: 'locked', value: 0, tone: 'warn' }
  if (state === null || counts === null) return { key: 'unparsed', value: 0, tone: 'plain' }
  if (isRunning(state)) {
    const progress = shareDone(counts)
    return { key: 'running', value: Math.floor(progress * 100), tone: 'plain', progress }
  }
  const missing = counts.asked - counts.returned
  return missing > 0 ? { key: 'missing', value: missing, tone: 'danger' } : null
}
