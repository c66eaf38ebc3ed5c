import type Database from 'better-sqlite3'
import { fold, foldWithOffsets } from '../../shared/text/fold.ts'
import { wayUp } from './chats-walk.ts'

/** Places that a text was found at, in the messages of the branch that is shown. */
export interface FindReply {
  readonly places: readonly {
    readonly messageId: string
    readonly offset: number
    readonly length: number
  }[]
  readonly more: boolean
}

/** Places told, at most. */
const mostPlaces = 10_000
/** What folding changes nothing of but the case: such texts are searched as they are. */
const plain = /^[\p{ASCII}\u3001-\u3029\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/u

/** Finds every place that holds a text as it is written, case and width aside, in small steps of one message each. */
export function* findOnBranch(
  db: Database.Database,
  id: string,
  query: string,
): Generator<undefined, FindReply> {
  const sought = fold(query)
  const places: FindReply['places'][number][] = []
  if (sought === '') return { places, more: false }
  const leaf = db
    .prepare<[string], { seq: number | null }>(
      'SELECT leaf_seq AS seq FROM conversations c JOIN items i ON i.seq = c.item_seq WHERE i.id = ?',
    )
    .get(id)
  if (!leaf || leaf.seq === null) return { places, more: false }
  const way = db.prepare<[number, number], { seq: number }>(wayUp).all(leaf.seq, -1)
  const body = db.prepare<[number], { id: string; text: string }>(
    'SELECT m.id, b.text FROM messages m JOIN message_bodies b ON b.message_seq = m.seq WHERE m.seq = ?',
  )
  for (const { seq } of way.toReversed()) {
    yield
    const message = body.get(seq)
    if (!message) continue
    for (const [start, end] of placesIn(message.text, sought)) {
      if (places.length === mostPlaces) return { places, more: true }
      places.push({ messageId: message.id, offset: start, length: end - start })
    }
  }
  return { places, more: false }
}

function* placesIn(text: string, sought: string): Generator<readonly [number, number]> {
  const isPlain = plain.test(text)
  const folded = isPlain ? text.toLowerCase() : fold(text)
  let at = folded.indexOf(sought)
  if (at < 0) return
  const offsets = isPlain ? null : foldWithOffsets(text)
  for (; at >= 0; at = folded.indexOf(sought, at + sought.length)) {
    const end = at + sought.length
    yield offsets ? [offsets.starts[at] ?? 0, offsets.ends[end - 1] ?? 0] : [at, end]
  }
}
