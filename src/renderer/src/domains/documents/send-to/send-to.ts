import type { LocationQuery } from 'vue-router'

/** A document to ask about in a new chat, as part of its route. */
export interface DocumentTransfer {
  readonly documentId: string
  /** Knowledge base with its text, for retrieval; empty when the text is sent with the question. */
  readonly baseId: string
}

/** Returns the query of the route that contains it. */
export const toQuery = ({ documentId, baseId }: DocumentTransfer): Record<string, string> => ({
  document: documentId,
  ...(baseId !== '' && { base: baseId }),
})

/** Parses it; null when the route contains none. */
export function fromQuery({ document, base }: LocationQuery): DocumentTransfer | null {
  if (typeof document !== 'string' || document === '') return null
  return { documentId: document, baseId: typeof base === 'string' ? base : '' }
}
