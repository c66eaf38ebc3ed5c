import type { SummaryTemplate } from '../../../../shared/model/meeting.ts'
import { sectionFinder, type SectionFinder } from './headings.ts'
import type { RawPoint } from './read-answer.ts'

/** Points of a JSON answer, plain or in a code fence; null if it is not JSON or contains no points. */
export function readJsonAnswer(
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
