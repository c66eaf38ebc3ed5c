import type { Line, Segment, Span } from '../../../../shared/model/meeting.ts'
import { offsetTime } from '../../../../shared/text/word-times.ts'
import type { ExportDocument } from './document.ts'

/** One caption: up to two lines of text, on one channel. */
export interface Cue extends Span {
  readonly speaker: string
  readonly channel: number
  /** One or two rows. */
  readonly rows: readonly string[]
}

/** Limits of captions: rows of 42 Latin or 18 Chinese characters, two of them, 0.7 to 7 seconds. */
const bounds = { latin: 42, wide: 18, rows: 2, shortestMs: 700, longestMs: 7000 } as const
/** Readable characters per second: a cue is shown longer where there is room. */
const readable = { latin: 20, wide: 9 } as const

const wide = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u

/** Returns cues in order of time; those of one channel never overlap, and each ends after it begins. */
export function cuesOf(document: ExportDocument): readonly Cue[] {
  const segments = new Map(document.source.segments.map((one) => [one.id, one]))
  const cues = document.entries.flatMap((entry) =>
    entry.type === 'line' ? lineCues(entry.line, entry.speaker, segments) : [],
  )
  const channels = [...new Set(cues.map(({ channel }) => channel))]
  return channels
    .flatMap((channel) => untangled(cues.filter((cue) => cue.channel === channel)))
    .toSorted((a, b) => a.startMs - b.startMs || a.channel - b.channel)
}

/**
 * Splits a line into cues at sentences, clauses and words; each gets the time at which its characters were spoken.
 */
function lineCues(line: Line, speaker: string, segments: ReadonlyMap<string, Segment>): Cue[] {
  const text = line.text.replace(/\s+/g, ' ').trim()
  if (text === '') return []
  const voiced = (line.segmentId && segments.get(line.segmentId)?.voiced) || []
  return rangesOf(text).map(({ start, end }) => {
    const startMs = offsetTime(text, start, line, voiced)
    return {
      startMs,
      // A pause after the words is not part of them.
      endMs: Math.max(offsetTime(text, end, line, voiced, 'end'), startMs + 1),
      speaker,
      channel: line.channel,
      rows: rowsOf(text.slice(start, end).trim()),
    }
  })
}

interface TextRange {
  readonly start: number
  readonly end: number
}

/** Returns the maximum number of characters of a cue with this text. */
const roomOf = (text: string): number =>
  (wide.test(text) ? bounds.wide : bounds.latin) * bounds.rows

/**
 * Splits a text so that each segment fits two rows: preferably after a sentence, otherwise a clause, otherwise a word.
 */
function rangesOf(text: string): readonly TextRange[] {
  const ranges: TextRange[] = []
  let start = 0
  while (start < text.length) {
    const rest = text.slice(start)
    const end = start + cutOf(rest, roomOf(rest.slice(0, bounds.latin * bounds.rows)))
    ranges.push({ start, end })
    start = end
    while (text[start] === ' ') start += 1
  }
  return ranges
}

/**
 * Returns the end of the first segment of a text: it must also be breakable into two rows, not only short enough.
 */
function cutOf(text: string, room: number): number {
  const fitsTo = (end: number): boolean => fits(text.slice(0, end).trim(), room)
  const sentence = lastEnd(
    text.slice(0, room + 1),
    /[.!?。！？…]+["'”’)\]」』]*(?=\s|$|[^\s.!?。！？…"'”’)\]」』])/gu,
  )
  // A sentence that fits ends the cue, unless it is only a word or two.
  if (sentence > room / 4 && fitsTo(sentence)) return sentence
  if (fits(text, room)) return text.length
  const clause = lastEnd(text.slice(0, room), /[,;:，；：、—–](?=\s|$|\P{L})|[，；：、]/gu)
  if (clause > room / 3 && fitsTo(clause)) return clause
  for (let at = text.lastIndexOf(' ', room); at > room / 4; at = text.lastIndexOf(' ', at - 1))
    if (fitsTo(at)) return at
  return safeCut(text, wide.test(text) ? room : room / bounds.rows)
}

function fits(text: string, room: number): boolean {
  const width = room / bounds.rows
  return text.length <= width || (text.length <= room && breakOf(text, width) !== null)
}

/** Never cuts between the halves of a surrogate pair, or a character and its combining marks. */
function safeCut(text: string, at: number): number {
  let cut = Math.min(at, text.length)
  while (cut > 1 && /^[\udc00-\udfff\p{M}\u200d]/u.test(text.slice(cut, cut + 1))) cut -= 1
  return cut
}

function lastEnd(text: string, pattern: RegExp): number {
  let end = 0
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length
  return end
}

/**
 * Returns one row when it fits, otherwise two of about the same length; a word is broken only when it is longer than a
 * row.
 */
function rowsOf(text: string): readonly string[] {
  const width = roomOf(text) / bounds.rows
  if (text.length <= width) return [text]
  const at = breakOf(text, width) ?? safeCut(text, Math.min(width, Math.ceil(text.length / 2)))
  return [text.slice(0, at).trim(), text.slice(at).trim()].filter((row) => row !== '')
}

/**
 * Returns where a text breaks into two rows that fit, nearest to its middle: at a space or punctuation, otherwise
 * between wide characters; null for nowhere.
 */
function breakOf(text: string, width: number): number | null {
  const nearest = (pattern: RegExp): number | null => {
    const ends = Array.from(text.matchAll(pattern), ({ index, 0: mark }) => index + mark.length)
    const good = ends.filter(
      (at) => text.slice(0, at).trim().length <= width && text.slice(at).trim().length <= width,
    )
    const off = (at: number): number => Math.abs(at - text.length / 2)
    return good.length === 0 ? null : good.reduce((a, b) => (off(b) < off(a) ? b : a))
  }
  return (
    nearest(/ |[，；：、。！？](?=.)/gu) ??
    nearest(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}](?=[\p{L}\p{N}])/gu)
  )
}

/** Adjusts the cues of one channel: no overlap, none too short or too long where there is room. */
function untangled(cues: readonly Cue[]): readonly Cue[] {
  const sorted = cues.toSorted((a, b) => a.startMs - b.startMs)
  const placed: Cue[] = []
  for (const [index, cue] of sorted.entries()) {
    const startMs = Math.max(cue.startMs, placed.at(-1)?.endMs ?? 0)
    const next = sorted[index + 1]?.startMs ?? Number.POSITIVE_INFINITY
    const text = cue.rows.join(' ')
    const perSecond = wide.test(text) ? readable.wide : readable.latin
    const wanted = Math.max(bounds.shortestMs, (text.length / perSecond) * 1000)
    const room = Math.max(next, startMs + 1)
    const endMs = Math.min(
      Math.max(cue.endMs, startMs + Math.round(wanted)),
      startMs + bounds.longestMs,
      // When the next cue follows immediately, this one gets its minimum time, and the next begins a little later.
      Math.max(room, startMs + bounds.shortestMs),
    )
    placed.push({ ...cue, startMs, endMs })
  }
  return placed
}
