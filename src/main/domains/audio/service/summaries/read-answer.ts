import type { SummaryTemplate } from '../../../../../shared/model/meeting.ts'
import { readReferences } from './references.ts'

/** A point of an answer, with the numbers of its source lines. */
export interface AnswerPoint {
  /** Index in the template's sections. */
  readonly section: number
  /** Plain text: nothing in it is parsed as markup. */
  readonly text: string
  readonly numbers: readonly number[]
}

/** Limits of what is saved from one answer. */
const maxPoints = 500
const maxChars = 4_000
/** Maximum characters read of an answer, and of one row or point with its numbers: patterns are slower on longer rows. */
const maxRead = 500_000
const maxRow = 8_000

/** Collapses white space and limits a row to its maximum length. */
const shortened = (row: string): string => row.replaceAll(/\s+/gu, ' ').trim().slice(0, maxRow)

/**
 * Parses an answer leniently: headings in any style, bullets, numbered and plain rows, line numbers in brackets, or JSON. Points
 * are in the order of the sections; numbers above `most` and rows that only report that there is nothing are dropped.
 */
export function readAnswer(
  answer: string,
  sections: SummaryTemplate['sections'],
  lastNumber: number,
): readonly AnswerPoint[] {
  const read = answer.slice(0, maxRead)
  const found = readJsonAnswer(read, sections) ?? readRows(read, sections)
  return found
    .slice(0, 10 * maxPoints)
    .map(({ section, text, numbers = [] }) => {
      const referenced = readReferences(shortened(text), lastNumber)
      const all = [...numbers.filter((n) => n >= 1 && n <= lastNumber), ...referenced.numbers]
      return {
        section,
        text: unmarked(referenced.text).slice(0, maxChars),
        numbers: [...new Set(all)],
      }
    })
    .filter(
      ({ text, numbers }) => /[\p{L}\p{N}]/u.test(text) && !(isNothing(text) && !numbers.length),
    )
    .slice(0, maxPoints)
    .toSorted((a, b) => a.section - b.section)
}

/** A point before its line numbers are parsed. */
interface RawPoint {
  readonly section: number
  readonly text: string
  readonly numbers?: readonly number[]
}

const bullet = /^(?:[-*+•·–—▪◦]\s+|\(?\d{1,3}[.)、]\s*|[（(]\d{1,3}[)）]\s*)(?=\S)/u

function readRows(answer: string, sections: SummaryTemplate['sections']): readonly RawPoint[] {
  const sectionOf = sectionFinder(sections)
  const points: { section: number; text: string }[] = []
  const before: string[] = []
  let section = -1
  let topic = ''
  let open = false
  for (const raw of answer.split(/\r?\n/)) {
    const row = shortened(raw)
    if (row === '' || /^(?:```|---+$|===+$|\*\*\*+$)/.test(row)) {
      open = false
      continue
    }
    const heading = headingIn(row)
    const found = heading ? sectionOf(heading.text) : -1
    if (
      heading &&
      found >= 0 &&
      (heading.marked || isBareTitle(heading.text, sections[found]?.title))
    ) {
      section = found
      topic = ''
      open = false
    } else if (heading?.marked) {
      // A heading that the answer added: the rows below it belong to that topic.
      topic = heading.text.replace(/\s*[:：]\s*$/, '')
      open = false
    } else if (section < 0) {
      before.push(row.replace(bullet, ''))
    } else {
      const last = points.at(-1)
      const starts = bullet.test(row)
      if (!starts && open && last) last.text += ` ${row}`
      else points.push({ section, text: withTopic(topic, row.replace(bullet, '')) })
      open = true
    }
  }
  if (section >= 0) return points
  // No headings at all: everything belongs to the first section.
  return before.map((text) => ({ section: 0, text }))
}

const withTopic = (topic: string, text: string): string =>
  topic === '' ? text : `${topic}: ${text}`

/** Whether a row is only the title of a section, perhaps with its number and a colon. */
const isBareTitle = (row: string, title = ''): boolean => {
  const bare = row.replace(/^\s*\d{1,2}\s*[.)、]\s*/, '').replace(/\s*[:：]\s*$/, '')
  return bare.toLowerCase() === title.toLowerCase()
}

/** Text without the emphasis and checkboxes of Markdown, which a page would show as characters. */
const unmarked = (text: string): string =>
  text
    .replace(/^\[[ xX]\]\s*/, '')
    .replaceAll(/\*\*|__|`/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()

const isNothing = (text: string): boolean =>
  /^[(（]?(?:none|nothing|n\/a|no (?:decisions?|actions?|open questions?|points?)\b.{0,40}|nothing (?:was|to)\b.{0,60}|无|暂无|没有|没有.{0,12})[.。)）]*$/iu.test(
    text,
  )

/** Points of a JSON answer, plain or in a code fence; null if it is not JSON or contains no points. */
function readJsonAnswer(
  answer: string,
  sections: SummaryTemplate['sections'],
): readonly RawPoint[] | null {
  const fenced = /```(?:json)?\s*\n([^]*?)\n\s*```/i.exec(answer)?.[1] ?? answer
  const text = fenced.trim()
  if (!/^[[{]/.test(text)) return null
  const value = parsed(text)
  if (typeof value !== 'object' || value === null) return null
  const points: RawPoint[] = []
  walk(value, 0, { points, sectionOf: sectionFinder(sections) }, 0)
  return points.length > 0 ? points : null
}

/** Field names that assistants use for a point's text, a section's name, and line numbers. */
const words = ['text', 'point', 'content', 'summary', 'item', 'description']
const names = ['section', 'title', 'heading', 'name']
const lines = [
  'lines',
  'line',
  'numbers',
  'line_numbers',
  'lineNumbers',
  'refs',
  'references',
  'sources',
]

const deepest = 8

interface Walk {
  readonly points: RawPoint[]
  readonly sectionOf: SectionFinder
}

function walk(value: unknown, section: number, into: Walk, depth: number): void {
  if (depth > deepest) return
  if (typeof value === 'string') {
    into.points.push({ section, text: value })
    return
  }
  if (Array.isArray(value)) {
    for (const one of value) walk(one, section, into, depth + 1)
    return
  }
  if (typeof value !== 'object' || value === null) return
  const fields = new Map(Object.entries(value))
  const name = textUnder(fields, names)
  const named = name === undefined ? -1 : into.sectionOf(name)
  const here = named >= 0 ? named : section
  const text = textUnder(fields, words)
  if (text !== undefined) {
    const numbers = lines.flatMap((field) => numbersIn(fields.get(field)))
    into.points.push({ section: here, text, numbers })
    return
  }
  for (const [key, inner] of fields) {
    if (names.includes(key) || lines.includes(key)) continue
    const found = into.sectionOf(key)
    walk(inner, found >= 0 ? found : here, into, depth + 1)
  }
}

function textUnder(
  fields: ReadonlyMap<string, unknown>,
  keys: readonly string[],
): string | undefined {
  for (const key of keys) {
    const value = fields.get(key)
    if (typeof value === 'string') return value
  }
  return undefined
}

function numbersIn(value: unknown): readonly number[] {
  if (Array.isArray(value)) return value.flatMap((one) => numbersIn(one))
  if (typeof value === 'number' && Number.isInteger(value)) return [value]
  if (typeof value !== 'string') return []
  return Array.from(value.matchAll(/\d{1,7}/g), ([digits]) => Number(digits))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Finds the section of a heading: by its title in any spelling, or else by its number; -1 for none. */
type SectionFinder = (heading: string) => number

function sectionFinder(sections: SummaryTemplate['sections']): SectionFinder {
  const titles = sections.map(({ title }) => plain(title))
  return (heading) => {
    const name = plain(heading)
    const byName = titles.findIndex((title) => title !== '' && title === name)
    if (byName >= 0) return byName
    // A translated title still has its number.
    const number = Number(/^\s*(\d{1,2})\s*[.)、:：]/.exec(heading)?.[1] ?? 0)
    return number >= 1 && number <= sections.length ? number - 1 : -1
  }
}

/** A heading in a row of an answer: `## Title`, `**Title**`, `Title:`; null for any other row. `marked`: definitely a heading. */
function headingIn(row: string): { readonly text: string; readonly marked: boolean } | null {
  const hashes = /^#{1,6}\s*(\S.*?)\s*#*$/.exec(row)
  if (hashes) return { text: hashes[1] ?? '', marked: true }
  const strong = /^(?:\d{1,2}[.)、]\s*)?(\*\*|__)(.{1,120}?)\1\s*[:：]?$/.exec(row)
  if (strong) return { text: row.replaceAll(/\*\*|__/g, ''), marked: true }
  if (/^[^-*•].{0,80}$/.test(row)) return { text: row, marked: false }
  return null
}

/** Letters and digits only, lower case, without a leading number. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/^\s*[#*_\s]*\d{1,2}\s*[.)、:]\s*/, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()
