import type { Passage, Place, Slice } from './types.ts'
import { piecesOf } from './sentences.ts'

/** The smallest box around places of one page, for each page they are on, in order. */
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

/** Several passages as one slice. */
export function joined(passages: readonly Passage[], headings: readonly string[]): Slice {
  return {
    text: passages.map(({ text }) => text).join('\n'),
    headings,
    places: unitedPlaces(passages.flatMap(({ places }) => places)),
    line: passages.find(({ line }) => line !== null)?.line ?? null,
    sheet: passages[0]?.sheet ?? null,
  }
}

/** A passage cut to pieces of at most `most` characters; each keeps its place, and its own line where lines are known. */
export function shortened(passage: Passage, most: number): readonly Passage[] {
  let { line } = passage
  return piecesOf(passage.text, most).flatMap((text) => {
    const lead = text.length - text.trimStart().length
    const at = line === null ? null : line + (text.slice(0, lead).split('\n').length - 1)
    if (line !== null) line += text.split('\n').length - 1
    return text.trim() === '' ? [] : [{ ...passage, text: text.trim(), line: at }]
  })
}

/** Passages in order, as many in each slice as `most` characters hold. */
export function* packed(
  passages: readonly Passage[],
  headings: readonly string[],
  most: number,
): Generator<Slice> {
  let group: Passage[] = []
  let size = 0
  for (const one of passages)
    for (const passage of shortened(one, most)) {
      if (size + passage.text.length > most && group.length > 0) {
        yield joined(group, headings)
        group = []
        size = 0
      }
      group.push(passage)
      size += passage.text.length + 1
    }
  if (group.length > 0) yield joined(group, headings)
}
