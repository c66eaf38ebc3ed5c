import type { Range } from './locate.ts'

/** A stretch of a text, and what is shown in its place. */
type Change = readonly [start: number, end: number, shown: string]

/** A text to be shown, and where what was looked for is in it. */
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

/** Elements that stand inside a word or a sentence, and those that part what is around them. Other names may be somebody's words. */
const inline = 'a|b|code|del|em|font|i|ins|mark|reference|s|small|span|strong|sub|sup|u'
const parting =
  'blockquote|body|br|caption|center|col|colgroup|dd|details|div|dl|dt|figcaption|figure|h[1-6]|head|hr|html|img|li|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul'

const tags = new RegExp(
  String.raw`</?(?:${inline}|${parting})(?:\s[^<>]{0,400})?/?>|<!--[^<>]{0,400}-->`,
  'gi',
)

/** A text with blanks in the place of its tags: each word stays where it was. */
export const blankTags = (text: string): string =>
  text.includes('<') ? text.replaceAll(tags, (tag) => ' '.repeat(tag.length)) : text

/** Signs of Markdown and HTML: groups are what is taken out, everything between them stays. */
const signs: readonly (readonly [pattern: RegExp, shown: string])[] = [
  // The number in a mark of a source is no word of the sentence.
  [/<reference\s[^<>]{0,220}>[^<>]{0,200}<\/reference\s{0,4}>/gi, ''],
  [new RegExp(String.raw`</?(?:${inline})(?:\s[^<>]{0,400})?/?>`, 'gi'), ''],
  [new RegExp(String.raw`</?(?:${parting})(?:\s[^<>]{0,400})?/?>|<!--[^<>]{0,400}-->`, 'gi'), ' '],
  [/&(?:amp|lt|gt|quot|apos|nbsp|#39);/g, ''],
  [/^[ \t]*(?:`{3,}|~{3,})[^\n]{0,40}$|^[ \t]*[-=*_|:+][-=*_|:+ \t]*$/gm, ' '],
  [/^[ \t]*(?:>[ \t]?)+|^[ \t]*#{1,6}[ \t]+/gm, ''],
  [/^[ \t]*\|[ \t]*|[ \t]\|(?=[ \t])/gm, ' '],
  [/\\(?=[\\`*_{}[\]()#+\-.!|~>$])/g, ''],
]
/** A row of a table, and what parts its cells. Looked for row by row, each run of blanks from its start alone: long rows cost no more than their length. */
const row = /^[ \t]{0,9}\|[^\n]*/gm
const cellEdge = /(?<![ \t])[ \t]*\|[ \t]*/g
/** Pairs of signs around words: both go, or neither. */
const pairs =
  /(?<open>!?\[)[^\][\n]{0,500}(?<close>\]\([^()\s]{0,2000}(?:[ \t]"[^"\n]{0,200}")?\))|(?<!\\)(?<sign>\*{1,3}|_{2,3}|~~|`{1,3})(?=\S)[^*_~`\n]{1,2000}(?<=\S)\k<sign>/g

/**
 * A text as it reads where it is drawn, on one line: without signs of Markdown, tags and marks of sources; and where its `ranges` are in
 * that. What is within a range stays as it is: it was looked for.
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

/** A text as it reads where it is drawn, line by line; lines that hold nothing but signs are left out. */
export const readableLines = (text: string): string =>
  /[<&*_~`|\\#>[=-]/.test(text)
    ? text
        .split('\n')
        .map((line) => [line, readable(line, []).text.trim()] as const)
        .flatMap(([line, shown]) => (shown === '' && line.trim() !== '' ? [] : [shown]))
        .join('\n')
    : text

/** A text with one space in the place of each break and run of spaces, and where its `ranges` are in that. */
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
  /** Where what is behind each change was and is. */
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
