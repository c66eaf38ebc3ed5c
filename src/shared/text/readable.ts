import type { Range } from './locate.ts'

/** A range of a text, and its replacement. */
type Change = readonly [start: number, end: number, shown: string]

/** A displayed text, and the matches in it. */
interface Readable {
  readonly text: string
  readonly ranges: readonly Range[]
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&#39;', "'"],
  ['&nbsp;', ' '],
])

/**
 * Elements within a word or sentence, and those that separate their surroundings. Other names may be regular text.
 */
const inline = 'a|b|code|del|em|font|i|ins|mark|reference|s|small|span|strong|sub|sup|u'
const parting =
  'blockquote|body|br|caption|center|col|colgroup|dd|details|div|dl|dt|figcaption|figure|h[1-6]|head|hr|html|img|li|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul'

const tags = new RegExp(
  String.raw`</?(?:${inline}|${parting})(?:\s[^<>]{0,400})?/?>|<!--[^<>]{0,400}-->`,
  'gi',
)

/** Replaces the tags of a text with blanks, so that each word keeps its position. */
export const blankTags = (text: string): string =>
  text.includes('<') ? text.replaceAll(tags, (tag) => ' '.repeat(tag.length)) : text

/** Markup of Markdown and HTML: groups are removed, everything between them stays. */
const signs: readonly (readonly [pattern: RegExp, shown: string])[] = [
  // The number in a citation mark is not a word of the sentence.
  [/<reference\s[^<>]{0,220}>[^<>]{0,200}<\/reference\s{0,4}>/gi, ''],
  [new RegExp(String.raw`</?(?:${inline})(?:\s[^<>]{0,400})?/?>`, 'gi'), ''],
  [new RegExp(String.raw`</?(?:${parting})(?:\s[^<>]{0,400})?/?>|<!--[^<>]{0,400}-->`, 'gi'), ' '],
  [/&(?:amp|lt|gt|quot|apos|nbsp|#39);/g, ''],
  [/^[ \t]*(?:`{3,}|~{3,})[^\n]{0,40}$|^[ \t]*[-=*_|:+][-=*_|:+ \t]*$/gm, ' '],
  [/^[ \t]*(?:>[ \t]?)+|^[ \t]*#{1,6}[ \t]+/gm, ''],
  [/^[ \t]*\|[ \t]*|[ \t]\|(?=[ \t])/gm, ' '],
  [/\\(?=[\\`*_{}[\]()#+\-.!|~>$])/g, ''],
]
/**
 * A table row and its cell separators. Matched row by row, each run of blanks only from its start, so that long rows take
 * linear time.
 */
const row = /^[ \t]{0,9}\|[^\n]*/gm
const cellEdge = /(?<![ \t])[ \t]*\|[ \t]*/g
/** Paired markup around text: both are removed, or neither. */
const pairs =
  /(?<open>!?\[)[^\][\n]{0,500}(?<close>\]\([^()\s]{0,2000}(?:[ \t]"[^"\n]{0,200}")?\))|(?<!\\)(?<sign>\*{1,3}|_{2,3}|~~|`{1,3})(?=\S)[^*_~`\n]{1,2000}(?<=\S)\k<sign>/g

/**
 * Returns a text as rendered, on one line: without Markdown, tags and citation marks; and the positions of its `ranges` in
 * it. Text within a range is not changed, since it was searched for.
 */
export function readable(text: string, ranges: readonly Range[]): Readable {
  const found: Change[] = []
  if (/[<&*_~`|\\#>[=-]/.test(text)) {
    for (const [pattern, shown] of signs)
      for (const { 0: sign, index } of text.matchAll(pattern))
        found.push([index, index + sign.length, entities.get(sign) ?? shown])
    for (const { 0: cells, index: start } of text.matchAll(row))
      for (const { 0: edge, index } of cells.matchAll(cellEdge))
        found.push([start + index, start + index + edge.length, ' '])
    for (const pair of text.matchAll(pairs)) {
      const { open = '', close = '', sign } = pair.groups ?? {}
      const end = pair.index + pair[0].length
      const both: readonly Change[] = [
        [pair.index, pair.index + (sign ?? open).length, ''],
        [end - (sign ?? close).length, end, ''],
      ]
      if (both.every((one) => isFree(one, ranges))) found.push(...both)
    }
  }
  const free = found.filter((one) => isFree(one, ranges))
  return onOneLine(...replaced(text, ranges, free))
}

/** Returns a text as rendered, line by line; lines with only markup are omitted. */
export const readableLines = (text: string): string =>
  /[<&*_~`|\\#>[=-]/.test(text)
    ? text
        .split('\n')
        .map((line) => [line, readable(line, []).text.trim()] as const)
        .flatMap(([line, shown]) => (shown === '' && line.trim() !== '' ? [] : [shown]))
        .join('\n')
    : text

/** Returns a text with one space for each break and run of spaces, and the positions of its `ranges` in it. */
export function onOneLine(text: string, ranges: readonly Range[]): Readable {
  const spaces = Array.from(text.matchAll(/[\s\p{Cc}]+/gu), ({ 0: { length }, index }): Change => [
    index,
    index + length,
    ' ',
  ])
  const [shown, moved] = replaced(text, ranges, spaces)
  return { text: shown, ranges: moved }
}

const isFree = ([from, to]: Change, ranges: readonly Range[]): boolean =>
  !ranges.some(([start, end]) => start < to && end > from)

function replaced(
  text: string,
  ranges: readonly Range[],
  changes: readonly Change[],
): [text: string, ranges: readonly Range[]] {
  let out = ''
  let last = 0
  /** Positions after each change, before and after. */
  const ends: (readonly [before: number, after: number])[] = []
  for (const [from, to, shown] of changes.toSorted((a, b) => a[0] - b[0] || b[1] - a[1])) {
    if (from < last) continue
    out += text.slice(last, from) + shown
    last = to
    ends.push([to, out.length])
  }
  out += text.slice(last)
  const moved = (at: number): number => {
    const [before, after] = ends.findLast(([end]) => end <= at) ?? [0, 0]
    return Math.min(out.length, after + at - before)
  }
  return [out, ranges.map(([from, to]) => [moved(from), moved(to)] as const)]
}
