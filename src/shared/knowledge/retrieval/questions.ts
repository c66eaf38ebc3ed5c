import { readCsv } from './csv.ts'

interface ReadQuestion {
  readonly text: string
  readonly note: string
}

/** Maximum number of questions in one file. */
export const maxQuestions = 5000
/** Maximum number of characters of a question (service-notes 7). */
export const maxQuestionLength = 1000
const maxNoteLength = 2000

const headings = /^(question|query|text|q|问题|提问|查询)$/i
const noteHeadings = /^(note|notes|comment|remark|备注|说明)$/i

/** The questions read, and the skipped ones: too long, duplicate, or over the limit of a test set. */
interface ReadQuestions {
  readonly questions: readonly ReadQuestion[]
  readonly tooLong: number
  readonly twice: number
  readonly tooMany: number
}

/**
 * Returns the questions in a file: a table with a column of questions (the first, or the one with that header), a JSON list
 * (texts, or objects with a question), or a text with one question per line. Null for JSON in any other form.
 */
export function readQuestions(text: string, name: string): ReadQuestions | null {
  const kind = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? 'txt'
  if (kind === 'json' || kind === 'jsonl') {
    const questions = kind === 'json' ? fromJson(text) : fromLines(text)
    return questions && tidy(questions)
  }
  return tidy(kind === 'csv' || kind === 'tsv' ? fromTable(text) : plainLines(text))
}

const plainLines = (text: string): readonly ReadQuestion[] =>
  text
    .replace(/^\u{feff}/u, '')
    .split(/\r?\n/)
    .map((line) => ({ text: line, note: '' }))

function fromTable(text: string): readonly ReadQuestion[] {
  const [head = [], ...rows] = readCsv(text)
  const column = head.findIndex((cell) => headings.test(cell.trim()))
  const notes = head.findIndex((cell) => noteHeadings.test(cell.trim()))
  const all = column === -1 && notes === -1 ? [head, ...rows] : rows
  const at = Math.max(0, column)
  return all.map((row) => ({ text: row[at] ?? '', note: notes === -1 ? '' : (row[notes] ?? '') }))
}

function fromJson(text: string): readonly ReadQuestion[] | null {
  const value = parsed(text)
  const list =
    typeof value === 'object' && value !== null && !Array.isArray(value) && 'questions' in value
      ? value.questions
      : value
  return Array.isArray(list) ? list.map(questionOf) : null
}

function fromLines(text: string): readonly ReadQuestion[] | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  const values = lines.map(parsed)
  return values.some((value) => value === undefined) ? null : values.map(questionOf)
}

function questionOf(value: unknown): ReadQuestion {
  if (typeof value === 'string') return { text: value, note: '' }
  if (typeof value !== 'object' || value === null) return { text: '', note: '' }
  const textOf = (names: RegExp): string => {
    for (const [name, each] of Object.entries(value))
      if (names.test(name) && typeof each === 'string') return each
    return ''
  }
  return { text: textOf(headings), note: textOf(noteHeadings) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\u{feff}/u, ''))
  } catch {
    return undefined
  }
}

function tidy(read: readonly ReadQuestion[]): ReadQuestions {
  const seen = new Set<string>()
  const questions: ReadQuestion[] = []
  let [tooLong, twice, tooMany] = [0, 0, 0]
  for (const { text, note } of read) {
    const question = text.replaceAll(/\s+/gu, ' ').trim()
    if (question === '') continue
    if (question.length > maxQuestionLength) tooLong += 1
    else if (seen.has(question)) twice += 1
    else if (questions.length >= maxQuestions) tooMany += 1
    else {
      seen.add(question)
      questions.push({ text: question, note: note.trim().slice(0, maxNoteLength) })
    }
  }
  return { questions, tooLong, twice, tooMany }
}
