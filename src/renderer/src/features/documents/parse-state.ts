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
export function shareDone({ asked, waiting }: PageCounts): number {
  return asked === 0 ? 1 : (asked - waiting) / asked
}

/** Pages in the shortest words: "3, 7-9, 20"; at most `most` stretches, then an ellipsis. */
export function pageList(pages: readonly number[], most = 12): string {
  const stretches: [first: number, last: number][] = []
  for (const page of pages) {
    const last = stretches.at(-1)
    if (last?.[1] === page - 1) last[1] = page
    else stretches.push([page, page])
  }
  const shown = stretches
    .slice(0, most)
    .map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`))
  return [...shown, ...(stretches.length > most ? ['…'] : [])].join(', ')
}
