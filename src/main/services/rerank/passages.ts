import { blockText } from '../../../shared/document/block-text.ts'
import type { Line } from '../../../shared/model/meeting.ts'
import type { SearchHit } from '../../../shared/model/library.ts'
import type { Candidate } from '../../../shared/model/rerank.ts'
import { readableLines } from '../../../shared/text/readable.ts'
import type { Store } from '../../store/types.ts'

/** Characters of a passage that is cut out of a longer text, about the place that was found. */
const aroundChars = 1200

/** Lines before and behind the one that was found: a line of talk alone says little. */
const nearLines = 1

/** What passages are read from. */
export type PassageStore = Pick<
  Store,
  'documents' | 'chats' | 'meetings' | 'transcripts' | 'speech' | 'items'
>

/** The whole passage that each hit is about, cut to `most` characters; the same passage comes once. */
export function passagesOf(
  store: PassageStore,
  hits: readonly SearchHit[],
  most: number,
): readonly Candidate[] {
  const lines = new Map<string, readonly Line[]>()
  const linesOf = (id: string): readonly Line[] => {
    const known = lines.get(id) ?? store.meetings.lines(id)
    lines.set(id, known)
    return known
  }
  const seen = new Set<string>()
  return hits.flatMap((hit): Candidate[] => {
    const text = cut((textOf(store, hit, linesOf) || hit.snippet).trim(), most)
    const key = `${hit.itemId} ${text}`
    if (text === '' || seen.has(key)) return []
    seen.add(key)
    const { itemId, kind, title, partId, page } = hit
    return [{ text, source: { itemId, kind, title, partId, page: page ?? null } }]
  })
}

function textOf(
  store: PassageStore,
  { field, partId, itemId, kind, offset, title }: SearchHit,
  linesOf: (id: string) => readonly Line[],
): string {
  if (field === 'title' || partId === null) {
    const excerpt = store.items.summary(itemId)?.excerpt ?? ''
    return excerpt === '' || excerpt === title ? title : `${title}\n${excerpt}`
  }
  if (field === 'block') {
    const block = store.documents.block(partId)
    return block ? blockText(block) : ''
  }
  if (field === 'piece') return around(store.speech.piece(partId)?.text ?? '', offset)
  if (field === 'message') return readableLines(aroundInMessage(store, partId, offset))
  const transcript = store.transcripts.get(partId)
  if (transcript) return around(transcript.text, offset)
  if (kind !== 'meeting') return ''
  const lines = linesOf(itemId)
  const at = lines.findIndex(({ id }) => id === partId)
  if (at === -1) return ''
  return lines
    .slice(Math.max(0, at - nearLines), at + nearLines + 1)
    .map(({ text }) => text)
    .join('\n')
}

/** The same of a message, which may be longer than what is read of it at once. */
function aroundInMessage(store: PassageStore, id: string, offset: number): string {
  const message = store.chats.message(id)
  if (!message?.shortened) return around(message?.text ?? '', offset)
  const from = Math.max(0, offset - aroundChars)
  return around(store.chats.textAt(id, from, 2 * aroundChars), offset - from)
}

/** The piece of a long text about a place, from one end of a sentence to another where they are near. */
function around(text: string, offset: number): string {
  if (text.length <= aroundChars) return text
  const half = aroundChars / 2
  const from = Math.max(0, Math.min(offset - half, text.length - aroundChars))
  const piece = text.slice(from, from + aroundChars).toWellFormed()
  const begin = from === 0 ? 0 : piece.slice(0, half / 2).search(/(?<=[.!?。！？\n])\s*\S/u)
  return piece.slice(Math.max(0, begin))
}

const cut = (text: string, most: number): string =>
  text.length <= most
    ? text
    : text
        .slice(0, most)
        .toWellFormed()
        .replace(/\uFFFD$/u, '')
