import type { AnswerStep } from '../../../../shared/chats/answer-step.ts'
import type { ChatAttachment, ChatMessage } from '../../../../shared/model/chat.ts'
import { sourcesOf, type Source } from '../../../../shared/chats/sources.ts'
import { citedNumbers } from '../../../../shared/chats/references.ts'
import { addressOf } from '../../../platform/export-files/html-nodes.ts'
import { jsonOverLimit } from './nesting.ts'
import type { ChatLabels } from './labels.ts'

/** Part of a step: prose in Markdown, or verbatim text. */
type ReportedPart =
  | { readonly kind: 'prose'; readonly text: string }
  | {
      readonly kind: 'code'
      readonly label: string
      readonly text: string
      readonly language: string
    }

/** A step of an answer as it is exported. */
export interface ReportedStep {
  readonly title: string
  readonly parts: readonly ReportedPart[]
}

/** Describes a step: what it was, how long it took, its input and output. */
export function reportedStep(step: AnswerStep, words: ChatLabels): ReportedStep {
  switch (step.kind) {
    case 'reasoning':
    case 'thought': {
      const name = step.kind === 'reasoning' ? words.thinking : words.thought
      return { title: titled(name, spanOf(step)), parts: [{ kind: 'prose', text: step.text }] }
    }
    case 'call': {
      const { tool, arguments: given, result } = step
      const status = result === null || result.status === '' ? null : result.status
      return {
        title: titled(words.tool(tool), step.durationMs ?? spanOf(step), status),
        parts: [
          ...(given === null ? [] : [codeOf(words.input, given)]),
          ...(result === null ? [] : [codeOf(words.result, result.value)]),
        ],
      }
    }
    case 'tool': {
      const { type, outputs, ...rest } = step.call
      const name = typeof rest['name'] === 'string' ? `${type} ${rest['name']}` : type
      const given = rest['input'] ?? rest['arguments'] ?? rest['raw']
      return {
        title: titled(words.tool(name), spanOf(step)),
        parts: [
          ...(given === undefined || given === '' ? [] : [codeOf(words.input, given)]),
          ...(Array.isArray(outputs) && outputs.length > 0 ? [codeOf(words.result, outputs)] : []),
        ],
      }
    }
    case 'unknown':
      return { title: words.event(step.name), parts: [codeOf(words.result, step.data)] }
  }
}

const spanOf = (step: { readonly startedAt: number; readonly endedAt: number | null }) =>
  step.endedAt === null ? null : Math.max(0, step.endedAt - step.startedAt)

const titled = (name: string, ms: number | null, status: string | null = null): string =>
  [name, ...(ms === null ? [] : [`${(ms / 1000).toFixed(1)} s`]), ...(status ? [status] : [])].join(
    ' · ',
  )

const codeOf = (label: string, value: unknown): ReportedPart =>
  typeof value === 'string'
    ? { kind: 'code', label, text: value, language: '' }
    : { kind: 'code', label, text: jsonText(value), language: 'json' }

/** Limits up to which a value is indented: deep nesting would add more spaces than a string can contain. */
const setIn = { nesting: 40, values: 100_000 } as const

function jsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return jsonOverLimit(text, setIn) === null ? (JSON.stringify(value, null, 2) ?? '') : text
}

/** Returns the name of an attachment. */
export function reportedAttachment(attachment: ChatAttachment, words: ChatLabels): string {
  const name = attachment.kind === 'document' ? attachment.title : attachment.name
  const pages =
    attachment.kind === 'document' && (attachment.sent ?? attachment.pages) !== ''
      ? words.bracketed(words.pages(attachment.sent ?? attachment.pages))
      : ''
  return `${words.attachments[attachment.kind]}${words.colon}${name}${pages}`
}

/** A source that an answer cites. */
export interface ReportedSource {
  readonly number: number
  readonly title: string
  /** Page, line, sheet and row, if known; '' otherwise. */
  readonly where: string
  readonly text: string
  /** Web URL; '' without one. */
  readonly link: string
}

/** Maximum number of exported characters of a source's text. */
const maxText = 500

/** Returns the sources cited in an answer, ordered by number. */
export function citedSources(message: ChatMessage, words: ChatLabels): readonly ReportedSource[] {
  if (citedNumbers(message.text).length === 0) return []
  return sourcesOf(message)
    .filter(({ isCited }) => isCited)
    .map((source) => ({
      number: source.number,
      title: oneLine(source.title) || words.source(source.number),
      where: whereOf(source, words),
      text: cutText(oneLine(source.text)),
      link: /^https?:\/\//i.test(source.link) ? (addressOf(source.link) ?? '') : '',
    }))
}

function whereOf({ place }: Source, words: ChatLabels): string {
  const page = place.boxes[0]?.page
  // Whether the first page is called 0 is not always known; the number is then not changed.
  const shift = place.firstPage === 0 ? 1 : 0
  return [
    ...(page === undefined || place.hidden ? [] : [words.page(page + shift)]),
    ...(place.sheet === null ? [] : [words.sheet(place.sheet)]),
    // When a page is known, the line of its text adds nothing.
    ...(place.line === null || page !== undefined
      ? []
      : [place.sheet === null ? words.line(place.line) : words.row(place.line)]),
  ].join(', ')
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

function cutText(text: string): string {
  const letters = Array.from(text.slice(0, 2 * maxText))
  return letters.length > maxText ? `${letters.slice(0, maxText).join('')}…` : text
}
