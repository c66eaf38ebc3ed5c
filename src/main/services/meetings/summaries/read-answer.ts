import type { SummaryTemplate } from '../../../../shared/model/meeting.ts'
import { headingIn, sectionFinder } from './headings.ts'
import { readJsonAnswer } from './read-json.ts'
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
export interface RawPoint {
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
