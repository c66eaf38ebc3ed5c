import type { ParsedOf } from '../../../../shared/contract/routes.ts'
import type { Highlight } from '../../../../shared/model/highlight.ts'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../errors.ts'

/** Highlights on the pages of documents, and the notes on them. */
export interface Highlights {
  /** In the order of the pages. Throws NOT_FOUND. */
  list(documentId: string): readonly Highlight[]
  /** Throws NOT_FOUND, and BAD_REQUEST for a page or a box that the document does not have. */
  add(request: ParsedOf<'highlights.add'>): readonly Highlight[]
  /** Throws NOT_FOUND. */
  change(request: ParsedOf<'highlights.change'>): Highlight
  /** They can be restored for a day. */
  remove(ids: readonly string[]): void
  restore(ids: readonly string[]): void
  resume(): void
}

/** Milliseconds for which removed highlights can be restored. */
const restorableMs = 86_400_000

export function createHighlights({
  store,
  clock,
  ids,
  emit,
}: Pick<Context, 'store' | 'clock' | 'ids' | 'emit'>): Highlights {
  const report = (documentIds: readonly string[]): void => {
    for (const id of documentIds) emit({ type: 'document.highlights', id })
    emit({ type: 'library.changed', itemIds: documentIds })
  }
  const setRemoved = (removed: readonly string[], removedAt: number | null): void => {
    const documentIds = store.highlights.setRemoved(removed, removedAt, clock())
    if (documentIds.length > 0) report(documentIds)
  }

  return {
    list: (documentId) => store.highlights.ofDocument(documentId),
    add({ documentId, highlights }) {
      const document = store.documents.get(documentId)
      if (!document) throw new AppError('NOT_FOUND', 'Document not found')
      const pages = document.facts?.pages ?? 0
      const added = highlights.map((one) => ({ ...one, id: ids() }))
      for (const { page, boxes } of added)
        if (
          page > pages ||
          !boxes.every(([left, top, right, bottom]) => left < right && top < bottom)
        )
          throw new AppError('BAD_REQUEST', 'The document has no such place')
      store.highlights.add(documentId, added, clock())
      report([documentId])
      return added.flatMap(({ id }) => store.highlights.get(id) ?? [])
    },
    change({ id, color, note }) {
      const highlight = store.highlights.change(id, { color, note }, clock())
      report([highlight.documentId])
      return highlight
    },
    remove: (removed) => setRemoved(removed, clock()),
    restore: (removed) => setRemoved(removed, null),
    resume: () => store.highlights.purge(clock() - restorableMs),
  }
}
