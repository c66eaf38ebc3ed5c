import type Database from 'better-sqlite3'
import { blankMarks } from '../../../../shared/chats/references.ts'
import { blockText } from '../../../../shared/documents/block-text.ts'
import type { MeaningKind } from '../../../../shared/model/semantic.ts'
import { chunksOf, type TextPart } from '../../../platform/vectors/chunks.ts'
import { wholeText } from '../../chats/store/index.ts'
import { blockId, type BlockRow, currentBlocks } from '../../documents/store/index.ts'
import { bucketOf } from '../../../platform/database/search-rows.ts'
import { isStale, scopeItems } from './semantic-scope.ts'
import { stampSql } from '../../../platform/database/semantic-stamp.ts'
import type { MeaningAnswers, MeaningRequest, Survey } from './semantic-types.ts'
import type { VectorSpace } from '../../knowledge/store/index.ts'

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

/** Reads the texts of an item by its number, in related groups and in reading order. */
type ItemTexts = (seq: number) => Generator<readonly TextPart[]>

/** Text readers of each kind: the parts are those at which a keyword search result opens. */
const readers: Readonly<Record<MeaningKind, (db: Database.Database) => ItemTexts>> = {
  meeting: meetingMinutes,
  document: documentPages,
  conversation: messages,
  speech: speechSegments,
}

/** Reads the texts of items of any kind. */
function textsOfItems(
  db: Database.Database,
): (item: { readonly seq: number; readonly kind: MeaningKind }) => ReturnType<ItemTexts> {
  const made = new Map<MeaningKind, ItemTexts>()
  return ({ seq, kind }) => {
    const reader = made.get(kind) ?? readers[kind](db)
    made.set(kind, reader)
    return reader(seq)
  }
}

/** Reads lines by minute. */
function meetingMinutes(db: Database.Database): ItemTexts {
  const lines = db.prepare<[number], TextPart & { readonly start_ms: number }>(
    'SELECT id, text, start_ms FROM meeting_lines WHERE item_seq = ? ORDER BY start_ms, channel, seq',
  )
  return (seq) => grouped(lines.iterate(seq), ({ start_ms: start }) => bucketOf(start))
}

/** Reads current blocks by page. */
function documentPages(db: Database.Database): ItemTexts {
  const blocks = db.prepare<
    [number],
    Pick<BlockRow, 'seq' | 'kind' | 'content' | 'edited'> & { readonly page: number }
  >(`${currentBlocks('b.seq, b.kind, b.content, b.edited, p.page')} ORDER BY p.page, b.place`)
  const parts = function* (seq: number): Generator<TextPart & { readonly page: number }> {
    for (const row of blocks.iterate(seq))
      yield { id: blockId(row.seq), text: blockText(row), page: row.page }
  }
  return (seq) => grouped(parts(seq), ({ page }) => page)
}

/** Reads finished messages one by one. */
function messages(db: Database.Database): ItemTexts {
  const all = db.prepare<[number], TextPart>(
    `SELECT m.id, ${wholeText} AS text FROM messages m CROSS JOIN message_bodies b ON b.message_seq = m.seq
     WHERE m.item_seq = ? AND m.state NOT IN ('running', 'queued') ORDER BY m.seq`,
  )
  return function* (seq) {
    for (const { id, text } of all.iterate(seq)) yield [{ id, text: blankMarks(text) }]
  }
}

/** Reads segments of a narration by paragraph. */
function speechSegments(db: Database.Database): ItemTexts {
  const all = db.prepare<[number], TextPart & { readonly paragraph: number }>(
    'SELECT id, text, paragraph FROM speech_pieces WHERE item_seq = ? ORDER BY place',
  )
  return (seq) => grouped(all.iterate(seq), ({ paragraph }) => paragraph)
}

function* grouped<Part extends TextPart>(
  parts: Iterable<Part>,
  keyOf: (part: Part) => number,
): Generator<readonly TextPart[]> {
  let group: Part[] = []
  for (const part of parts) {
    const [first] = group
    if (first && keyOf(first) !== keyOf(part)) {
      yield group
      group = []
    }
    group.push(part)
  }
  if (group.length > 0) yield group
}
