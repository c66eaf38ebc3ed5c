import type { DocumentFacts } from '../../shared/model/document.ts'
import type { Connection } from './connection.ts'
import { parsed } from './meetings-rows.ts'

/** Documents whose facts are held as they were read: those that are worked on and the one that is looked at. */
const held = 8

/**
 * Reads the facts of documents. Those of a long one are thousands of numbers that every part asks for: what is stored is read each
 * time, and taken apart again only when it changed.
 */
export function factsReader(connection: Connection): (seq: number) => DocumentFacts | null {
  /** The one that was read last is last. */
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
