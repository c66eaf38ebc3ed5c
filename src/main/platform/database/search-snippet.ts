import { merge, type Range } from '../../../shared/text/locate.ts'
import { onOneLine, readable } from '../../../shared/text/readable.ts'

/** UTF-16 units shown before the first match, and in total. */
const before = 48
const whole = 200

/** An excerpt around a match on one line, with its matches. */
interface Snippet {
  readonly text: string
  readonly ranges: readonly Range[]
}

/** UTF-16 units inspected around the match: tags and URLs among them are not shown. */
const inspectedUnits = { before: 600, after: 3000 } as const

/**
 * Returns the surroundings of `offset` in a text: whole characters, whole words where they are short, `…` for omissions. For
 * text that `isDrawn` from Markdown or HTML, returns the rendered text.
 */
export function snippet(
  text: string,
  offset: number,
  ranges: readonly Range[],
  isDrawn = true,
): Snippet {
  const from = wholeCharacter(text, Math.max(0, offset - inspectedUnits.before))
  const to = wholeCharacter(text, Math.min(text.length, offset + inspectedUnits.after))
  const near = merge(ranges).flatMap(([start, end]): Range[] =>
    end > from && start < to ? [[Math.max(start, from) - from, Math.min(end, to) - from]] : [],
  )
  // The offset itself is mapped as an empty range.
  const shown = (isDrawn ? readable : onOneLine)(text.slice(from, to), [
    [offset - from, offset - from],
    ...near,
  ])
  const [[place] = [0], ...places] = shown.ranges
  return cutOut(shown.text, place, places, { before: from > 0, after: to < text.length })
}

function cutOut(
  text: string,
  offset: number,
  ranges: readonly Range[],
  more: { readonly before: boolean; readonly after: boolean },
): Snippet {
  const start = cutStart(text, Math.max(0, offset - before), offset)
  const end = cutEnd(text, Math.min(text.length, start + whole))
  const head = start > 0 || more.before ? '…' : ''
  const tail = end < text.length || more.after ? '…' : ''
  const shift = head.length - start
  return {
    text: head + text.slice(start, end) + tail,
    ranges: ranges
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

/** Moves a cut back so that it does not split a surrogate pair or a character and its combining marks. */
function wholeCharacter(text: string, at: number): number {
  let cut = at
  while (cut > 0 && /\p{M}|[\udc00-\udfff]|\u200d/u.test(text.charAt(cut))) cut -= 1
  return cut
}
