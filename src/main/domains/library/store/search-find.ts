import type Database from 'better-sqlite3'
import { blankMarks } from '../../../../shared/chats/references.ts'
import { fold, foldWithOffsets } from '../../../../shared/text/fold.ts'
import { wholeText, ancestors } from '../../chats/store/index.ts'

/** Matches of a text in the messages of the shown branch. */
export interface FindReply {
  readonly places: readonly {
    readonly messageId: string
    readonly offset: number
    readonly length: number
  }[]
  readonly more: boolean
}

/** Maximum number of returned matches. */
const maxPlaces = 10_000
/** ASCII, Chinese punctuation, Hiragana, Katakana, Han, Hangul: first and last. */
const plainRanges = [
  [0, 0x7f],
  [0x3001, 0x3029],
  [0x3041, 0x3096],
  [0x30a1, 0x30fa],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
] as const
/** Characters that may combine with the previous one. */
const extending = /[\p{M}\uff9e\uff9f\u1160-\u11ff\u200d]/u

/** Finds all literal matches of a text, ignoring case and width, in small steps of one message each. */
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
  const placesIn = placesOf(sought)
  const way = db.prepare<[number, number], { seq: number }>(ancestors).all(leaf.seq, -1)
  const body = db.prepare<[number], { id: string; text: string }>(
    `SELECT m.id, ${wholeText} AS text FROM messages m JOIN message_bodies b ON b.message_seq = m.seq WHERE m.seq = ?`,
  )
  for (const { seq } of way.toReversed()) {
    yield
    const message = body.get(seq)
    if (!message) continue
    for (const [start, end] of placesIn(blankMarks(message.text))) {
      if (places.length === maxPlaces) return { places, more: true }
      places.push({ messageId: message.id, offset: start, length: end - start })
    }
  }
  return { places, more: false }
}

type Place = readonly [start: number, end: number]

/**
 * Class of a UTF-16 unit: it separates its surroundings (or is plain), or a text with it has to be folded. 0: not yet
 * classified.
 */
const apart = 1
const folds = 2

/**
 * Finds a folded text. Folding takes many times as long as scanning, and is mostly unnecessary: a character that folds to
 * nothing in the searched text separates its surroundings, folded or not.
 */
export function placesOf(sought: string): (text: string) => Generator<Place> {
  const known = new Uint8Array(0x1_0000)
  // Characters of which folding only changes the case.
  for (const [first, last] of plainRanges) known.fill(apart, first, last + 1)
  const supplementary = new Map<number, number>()
  const classify = (code: number): number => {
    const character = String.fromCodePoint(code)
    const folded = fold(character)
    const joins = folded === '' || extending.test(character)
    return joins || Array.from(folded).some((one) => sought.includes(one)) ? folds : apart
  }
  const asItIs = (text: string): boolean => {
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      let verdict = known[unit] ?? 0
      if (isSurrogate(unit)) {
        const code = text.codePointAt(at) ?? unit
        verdict = supplementary.get(code) ?? classify(code)
        supplementary.set(code, verdict)
        if (code > 0xffff) at += 1
      } else if (verdict === 0) verdict = known[unit] = classify(unit)
      if (verdict === folds) return false
    }
    return true
  }
  return function* placesIn(text) {
    const lower = text.toLowerCase()
    if (lower.length === text.length && asItIs(text)) {
      for (let at = lower.indexOf(sought); at >= 0; at = lower.indexOf(sought, at + sought.length))
        yield [at, at + sought.length]
      return
    }
    if (!fold(text).includes(sought)) return
    const { text: folded, starts, ends } = foldWithOffsets(text)
    for (let at = folded.indexOf(sought); at >= 0; at = folded.indexOf(sought, at + sought.length))
      yield [starts[at] ?? 0, ends[at + sought.length - 1] ?? 0]
  }
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff
