import type { PartPlan } from '../../../shared/model/document.ts'
import type { ExportPage } from '../../exports/documents/types.ts'
import type { Store } from '../../store/types.ts'

/** Number of pages read, drawn and sent to the writer at once: limits the memory for a long document. */
const pagesAtOnce = 20

/** Yields the current pages of these ranges, in batches. */
export function* exportPages(
  store: Pick<Store, 'documents'>,
  id: string,
  ranges: readonly PartPlan[],
): Generator<readonly ExportPage[]> {
  const documents = store.documents
  const numbers = new Map(documents.versions(id).map((one) => [one.id, one.number]))
  const sizes = documents.get(id)?.facts?.sizes ?? []
  for (const range of ranges)
    for (let first = range.first; first <= range.last; first += pagesAtOnce) {
      const span = { first, last: Math.min(range.last, first + pagesAtOnce - 1) }
      const blocks = Map.groupBy(documents.blocks(id, span), ({ page }) => page)
      yield documents.pages(id, span).map(({ page, state, raster, error, versionId }) => ({
        page,
        state,
        raster,
        error,
        size: sizes[page - 1] ?? null,
        version: versionId === null ? null : (numbers.get(versionId) ?? null),
        blocks: blocks.get(page) ?? [],
      }))
    }
}
