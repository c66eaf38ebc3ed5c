import { merge, type Range } from '../../shared/text/locate.ts'

/** UTF-16 units shown before the first match, and in all. */
const before = 48
const whole = 200

/** A piece of text around a match, on one line, with the matches in it. */
export interface Snippet {
  readonly text: string
  readonly ranges: readonly Range[]
}

/** Cuts the surroundings of `offset` out of a text: whole characters, whole words where they are short, `…` where something was left out. */
export function snippet(text: string, offset: number, ranges: readonly Range[]): Snippet {
  const start = cutStart(text, Math.max(0, offset - before), offset)
  const end = cutEnd(text, Math.min(text.length, start + whole))
  const head = start > 0 ? '…' : ''
  const tail = end < text.length ? '…' : ''
  // Each break becomes one space, so that offsets stay.
  const body = text.slice(start, end).replace(/[\s\p{Cc}]/gu, ' ')
  const shift = head.length - start
  return {
    text: head + body + tail,
    ranges: merge(ranges)
      .filter(([from, to]) => to > start && from < end)
      .map(([from, to]) => [Math.max(from, start) + shift, Math.min(to, end) + shift] as const),
  }
}

function cutStart(text: string, wanted: number, limit: number): number {
  if (wanted === 0) return 0
  const space = text.slice(wanted, Math.min(limit, wanted + 16)).search(/\s/)
  return space >= 0 ? wanted + space + 1 : wholeCharacter(text, wanted)
}

function cutEnd(text: string, wanted: number): number {
  if (wanted === text.length) return wanted
  const from = Math.max(0, wanted - 16)
  const space = text.slice(from, wanted).search(/\s\S*$/)
  return space > 0 ? from + space : wholeCharacter(text, wanted)
}

/** Moves a cut back so that it does not part a surrogate pair or a character from its marks. */
function wholeCharacter(text: string, at: number): number {
  let cut = at
  while (cut > 0 && /\p{M}|[\udc00-\udfff]|\u200d/u.test(text.charAt(cut))) cut -= 1
  return cut
}
