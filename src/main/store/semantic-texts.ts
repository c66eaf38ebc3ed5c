import { blankMarks } from '../../shared/chat/references.ts'
import type Database from 'better-sqlite3'
import { blockText } from '../../shared/document/block-text.ts'
import type { MeaningKind } from '../../shared/model/semantic.ts'
import type { TextPart } from '../vectors/chunks.ts'
import { wholeText } from './chats-parts.ts'
import { blockId, type BlockRow } from './documents-rows.ts'
import { currentBlocks } from './documents-search.ts'
import { bucketOf } from './search-numbers.ts'

/** Reads the texts of an item by its number, in related groups and in reading order. */
type ItemTexts = (seq: number) => Generator<readonly TextPart[]>

/** Text readers of each kind: the parts are those at which a keyword search result opens. */
const readers: Readonly<Record<MeaningKind, (db: Database.Database) => ItemTexts>> = {
  recording: transcripts,
  meeting: meetingMinutes,
  document: documentPages,
  conversation: messages,
  speech: speechSegments,
}

/** Reads the texts of items of any kind. */
export function textsOfItems(
  db: Database.Database,
): (item: { readonly seq: number; readonly kind: MeaningKind }) => ReturnType<ItemTexts> {
  const made = new Map<MeaningKind, ItemTexts>()
  return ({ seq, kind }) => {
    const reader = made.get(kind) ?? readers[kind](db)
    made.set(kind, reader)
    return reader(seq)
  }
}

/** Reads the newest transcript. */
function transcripts(db: Database.Database): ItemTexts {
  const newest = db.prepare<[number], TextPart>(
    `SELECT id, text FROM transcripts WHERE item_seq = ? AND state <> 'no-speech' ORDER BY number DESC LIMIT 1`,
  )
  return function* (seq) {
    const part = newest.get(seq)
    if (part) yield [part]
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
