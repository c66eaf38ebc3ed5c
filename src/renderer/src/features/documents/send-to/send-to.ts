import type { LocationQuery } from 'vue-router'

/** A document that is given to whoever answers questions: an address that conversations take. */
export interface DocumentTransfer {
  readonly documentId: string
  /** As people write them; empty means all. */
  readonly pages: string
  readonly question: string
  /** The knowledge base that holds its text, to be looked up there; empty when the text goes with the question. */
  readonly baseId: string
}

/** The part of an address that carries it. */
export const toQuery = ({
  documentId,
  pages,
  question,
  baseId,
}: DocumentTransfer): Record<string, string> => ({
  document: documentId,
  ...(pages !== '' && { pages }),
  ...(question !== '' && { question }),
  ...(baseId !== '' && { base: baseId }),
})

/** Reads it back; null where the address carries none. */
export function fromQuery(query: LocationQuery): DocumentTransfer | null {
  const read = (name: string): string => {
    const value = query[name]
    return typeof value === 'string' ? value : ''
  }
  const documentId = read('document')
  if (documentId === '') return null
  return { documentId, pages: read('pages'), question: read('question'), baseId: read('base') }
}
