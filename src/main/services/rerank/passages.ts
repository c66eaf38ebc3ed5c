import { blockText } from '../../../shared/document/block-text.ts'
import type { Line } from '../../../shared/model/meeting.ts'
import type { SearchHit } from '../../../shared/model/library.ts'
import type { Candidate } from '../../../shared/model/rerank.ts'
import { readableLines } from '../../../shared/text/readable.ts'
import type { Store } from '../../store/types.ts'

/** Length of a passage cut from a longer text around the match, in characters. */
const aroundChars = 1200

/** Lines before and after the match: a single line of speech carries little information. */
const nearLines = 1

/** The parts of the store that passages are read from. */
export type PassageStore = Pick<
  Store,
  'documents' | 'chats' | 'meetings' | 'transcripts' | 'speech' | 'items'
>

/** The whole passage of each result, cut to `most` characters; without duplicates. */
export function passagesOf(
  store: PassageStore,
  hits: readonly SearchHit[],
  maxChars: number,
): readonly Candidate[] {
  const lines = new Map<string, readonly Line[]>()
  const linesOf = (id: string): readonly Line[] => {
    const known = lines.get(id) ?? store.meetings.lines(id)
    lines.set(id, known)
    return known
  }
  const seen = new Set<string>()
  return hits.flatMap((hit): Candidate[] => {
    const text = cut((textOf(store, hit, linesOf) || hit.snippet).trim(), maxChars)
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
  if (field === 'piece') return around(store.speech.segment(partId)?.text ?? '', offset)
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

/** Returns the part of a message around a position; of a long message, only this range is read. */
function aroundInMessage(store: PassageStore, id: string, offset: number): string {
  const message = store.chats.message(id)
  if (!message?.shortened) return around(message?.text ?? '', offset)
  const from = Math.max(0, offset - aroundChars)
  return around(store.chats.textAt(id, from, 2 * aroundChars), offset - from)
}

/** The part of a long text around a position, at sentence boundaries if they are near. */
function around(text: string, offset: number): string {
  if (text.length <= aroundChars) return text
  const half = aroundChars / 2
  const from = Math.max(0, Math.min(offset - half, text.length - aroundChars))
  const excerpt = text.slice(from, from + aroundChars).toWellFormed()
  const begin = from === 0 ? 0 : excerpt.slice(0, half / 2).search(/(?<=[.!?。！？\n])\s*\S/u)
  return excerpt.slice(Math.max(0, begin))
}

const cut = (text: string, maxChars: number): string =>
  text.length <= maxChars
    ? text
    : text
        .slice(0, maxChars)
        .toWellFormed()
        .replace(/\uFFFD$/u, '')
