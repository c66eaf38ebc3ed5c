import type { LocationQuery } from 'vue-router'

/** A document to ask about in a new chat, as part of its route. */
export interface DocumentTransfer {
  readonly documentId: string
  /** As users write them; empty means all. */
  readonly pages: string
  /** Beginning of the question, such as a quote. */
  readonly question: string
  /** Knowledge base with its text, for retrieval; empty when the text is sent with the question. */
  readonly baseId: string
  /** Account of that knowledge base; empty for the active one. */
  readonly accountId: string
}

/** Returns the query of the route that contains it. */
export const toQuery = ({
  documentId,
  pages,
  question,
  baseId,
  accountId,
}: DocumentTransfer): Record<string, string> => ({
  document: documentId,
  ...(pages !== '' && { pages }),
  ...(question !== '' && { question }),
  ...(baseId !== '' && { base: baseId }),
  ...(accountId !== '' && { account: accountId }),
})

/** Parses it; null when the route contains none. */
export function fromQuery(query: LocationQuery): DocumentTransfer | null {
  const read = (name: string): string => {
    const value = query[name]
    return typeof value === 'string' ? value : ''
  }
  const documentId = read('document')
  if (documentId === '') return null
  return {
    documentId,
    pages: read('pages'),
    question: read('question'),
    baseId: read('base'),
    accountId: read('account'),
  }
}
