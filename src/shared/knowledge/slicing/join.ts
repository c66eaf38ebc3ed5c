import type { Passage, Place, Slice, SlicePart } from './types.ts'
import { splitAtSentences } from './sentences.ts'

/** Returns the bounding box of places on each page, in order. */
export function unitedPlaces(places: readonly Place[]): readonly Place[] {
  const pages = new Map<number, Place>()
  for (const place of places) {
    const one = pages.get(place.page)
    pages.set(
      place.page,
      one
        ? {
            ...one,
            x0: Math.min(one.x0, place.x0),
            top: Math.min(one.top, place.top),
            x1: Math.max(one.x1, place.x1),
            bottom: Math.max(one.bottom, place.bottom),
          }
        : place,
    )
  }
  return Array.from(pages.values())
}

/** Returns the first page of a passage; null if its document has none. */
export const pageOf = ({ places, page }: Pick<Passage, 'places' | 'page'>): number | null =>
  places[0]?.page ?? page ?? null

/** Returns the source of a line (from 0) of a chunk's text. */
export function partAt(parts: readonly SlicePart[], line: number): Omit<SlicePart, 'at'> {
  const part = parts.findLast(({ at }) => at <= line)
  if (!part) return { line: null, page: null }
  return { line: part.line === null ? null : part.line + line - part.at, page: part.page }
}

/** Counts the line breaks of a text. */
export const lineEnds = (text: string): number => text.split('\n').length - 1

/** Joins several passages into one chunk. */
export function joined(passages: readonly Passage[], headings: readonly string[]): Slice {
  return {
    text: passages.map(({ text }) => text).join('\n'),
    headings,
    places: unitedPlaces(passages.flatMap(({ places }) => places)),
    line: passages.find(({ line }) => line !== null)?.line ?? null,
    parts: partsOf(passages),
    sheet: passages[0]?.sheet ?? null,
  }
}

function partsOf(passages: readonly Passage[]): readonly SlicePart[] {
  let next = 0
  return passages.map((passage) => {
    const at = next
    next += lineEnds(passage.text) + 1
    return { at, line: passage.line, page: pageOf(passage) }
  })
}

/**
 * Splits a passage into pieces of at most `most` characters; each keeps its place, and its own line where lines are known.
 */
function shortened(passage: Passage, maxChars: number): readonly Passage[] {
  let { line } = passage
  return splitAtSentences(passage.text, maxChars).flatMap((text) => {
    const lead = text.length - text.trimStart().length
    const at = line === null ? null : line + lineEnds(text.slice(0, lead))
    if (line !== null) line += lineEnds(text)
    return text.trim() === '' ? [] : [{ ...passage, text: text.trim(), line: at }]
  })
}

/** Groups passages in order into chunks of up to `most` characters. */
export function* packed(
  passages: readonly Passage[],
  headings: readonly string[],
  maxChars: number,
): Generator<Slice> {
  let group: Passage[] = []
  let size = 0
  for (const one of passages)
    for (const passage of shortened(one, maxChars)) {
      if (size + passage.text.length > maxChars && group.length > 0) {
        yield joined(group, headings)
        group = []
        size = 0
      }
      group.push(passage)
      size += passage.text.length + 1
    }
  if (group.length > 0) yield joined(group, headings)
}
