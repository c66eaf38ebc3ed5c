import type { DocumentFacts } from '../../../../shared/model/document.ts'
import type { Connection } from '../../../platform/database/connection.ts'
import { parsed } from '../../../platform/database/json-column.ts'

/** Number of documents whose facts are cached: those being processed and the one being viewed. */
const held = 8

/**
 * Reads the facts of documents. Those of a long document are thousands of numbers that every part needs: the stored text
 * is read each time, and parsed again only if it changed.
 */
export function factsReader(connection: Connection): (seq: number) => DocumentFacts | null {
  /** Cache in order of use; the last entry is the most recently read. */
  const known = new Map<number, { readonly text: string; readonly facts: DocumentFacts | null }>()
  return (seq) => {
    const text = connection.get<{ facts: string | null }>(
      'SELECT facts FROM documents WHERE item_seq = ?',
      seq,
    )?.facts
    const before = known.get(seq)
    known.delete(seq)
    if (text === undefined || text === null) return null
    const now = before?.text === text ? before : { text, facts: parsed<DocumentFacts>(text) }
    known.set(seq, now)
    const [oldest] = known.keys()
    if (known.size > held && oldest !== undefined) known.delete(oldest)
    return now.facts
  }
}
