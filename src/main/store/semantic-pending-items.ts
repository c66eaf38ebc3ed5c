import type Database from 'better-sqlite3'
import type { MeaningKind } from '../../shared/model/semantic.ts'
import { chunksOf } from '../vectors/chunks.ts'
import { isStale, scopeItems, stampSql } from './semantic-scope.ts'
import { textsOfItems } from './semantic-texts.ts'
import type { MeaningAnswers, MeaningRequest, Survey } from './semantic-types.ts'
import type { VectorSpace } from './vectors.ts'

type Ask<Name extends MeaningRequest['ask']> = Extract<MeaningRequest, { readonly ask: Name }>

/** Counts new and changed items without reading texts. */
export function* countItems(
  db: Database.Database,
  { indexId, scope }: Ask<'count'>,
): Generator<undefined, MeaningAnswers['count']> {
  let [items, fresh, changed] = [0, 0, 0]
  for (const item of scopeItems(db, indexId, scope)) {
    items += 1
    if (item.state === null) fresh += 1
    else if (item.state !== 'waiting' && isStale(item)) changed += 1
    yield
  }
  return { items, fresh, changed }
}

/** Splits new or changed items into chunks and checks which vectors are missing in the cache. */
export function* surveyItems(
  db: Database.Database,
  { indexId, space, scope, perCall }: Ask<'survey'>,
): Generator<undefined, Survey> {
  const read = textsOfItems(db)
  const isCached = cacheOf(db, space)
  const seen = new Set<string>()
  let [items, fresh, changed, cached, missing, tokens] = [0, 0, 0, 0, 0, 0]
  for (const item of scopeItems(db, indexId, scope)) {
    yield
    if (!isStale(item)) {
      items += 1
      continue
    }
    let holdsText = false
    for (const chunk of chunksOf(read(item))) {
      holdsText = true
      yield
      const key = chunk.hash.toString('latin1')
      if (seen.has(key)) continue
      seen.add(key)
      if (isCached(chunk.hash)) cached += 1
      else {
        missing += 1
        tokens += chunk.tokens
      }
    }
    if (!holdsText) continue
    items += 1
    if (item.known === 0) fresh += 1
    else changed += 1
  }
  const calls = Math.max(Math.ceil(missing / perCall.items), Math.ceil(tokens / perCall.tokens))
  return { items, fresh, changed, texts: seen.size, cached, tokens, calls }
}

/** Splits one item into chunks. */
export function* cutItem(
  db: Database.Database,
  { itemSeq }: Ask<'chunks'>,
): Generator<undefined, MeaningAnswers['chunks']> {
  const item = stampOf(db, itemSeq)
  if (!item) return { stamp: 0, chunks: [] }
  const chunks: MeaningAnswers['chunks']['chunks'][number][] = []
  for (const { text, parts, hash, digest } of chunksOf(textsOfItems(db)(item))) {
    chunks.push({ text, parts, hash, digest })
    yield
  }
  return { stamp: item.stamp, chunks }
}

const stampOf = (
  db: Database.Database,
  seq: number,
): { readonly seq: number; readonly kind: MeaningKind; readonly stamp: number } | undefined =>
  db
    .prepare<[number], { seq: number; kind: MeaningKind; stamp: number }>(
      `SELECT i.seq, i.kind, ${stampSql} AS stamp FROM items i WHERE i.seq = ? AND i.deleted_at IS NULL`,
    )
    .get(seq)

/** Returns a predicate for whether the cache contains the vector of a text. */
function cacheOf(db: Database.Database, space: VectorSpace): (hash: Buffer) => boolean {
  const id = db
    .prepare<[string, string, number], { id: number }>(
      'SELECT id FROM vector_spaces WHERE space = ? AND model = ? AND dimensions = ?',
    )
    .get(space.space, space.model, space.dimensions)?.id
  const row = db.prepare<[number, Buffer]>('SELECT 1 FROM vectors WHERE space_id = ? AND hash = ?')
  return (hash) => id !== undefined && row.get(id, hash) !== undefined
}
