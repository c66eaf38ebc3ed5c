import type { AnswerStep } from '../../../../../shared/chat/answer.ts'
import { fieldsOf, listOf, opened, textAt } from '../../../../../shared/chat/sources-values.ts'

/** A page of the web that a tool brought. */
export interface WebPage {
  readonly title: string
  readonly link: string
  readonly text: string
  readonly error: string
}

/** A picture that a tool drew: a kept one by its media id, any other by its address. */
export interface DrawnImage {
  readonly mediaId: string
  readonly address: string
  /** It could not be kept, and will not be. */
  readonly lost: boolean
}

/** How a step of an answer is shown. */
export type StepView =
  | { readonly kind: 'reasoning' | 'thought'; readonly text: string }
  | {
      readonly kind: 'rewrite'
      readonly before: string
      readonly after: readonly string[]
      readonly raw: unknown
    }
  /** Its passages are the sources that name the step. */
  | { readonly kind: 'retrieval'; readonly query: string; readonly raw: unknown }
  | { readonly kind: 'web'; readonly query: string; readonly pages: readonly WebPage[] }
  | {
      readonly kind: 'code'
      readonly code: string
      readonly outputs: readonly { readonly logs: string; readonly error: string }[]
    }
  | {
      readonly kind: 'drawing'
      readonly prompt: string
      readonly pictures: readonly DrawnImage[]
    }
  | { readonly kind: 'function'; readonly outputs: readonly unknown[] }
  | { readonly kind: 'call'; readonly raw: unknown }
  | { readonly kind: 'unknown'; readonly data: unknown }

/** Characters of an address that are shown: what is longer is none. */
const addressChars = 8000
/** Outputs of one call that are shown at most. */
const maxOutputs = 200
const queryNames = ['query', 'question', 'q', 'input', 'keyword', 'keywords', 'text', 'prompt']
const afterNames = ['queries', 'rewritten', 'rewritten_query', 'rewrittenQuery', 'result', 'query']

/** What a step shows when it is opened; `found`: it brought sources. */
export function viewOf(step: AnswerStep, found: boolean): StepView {
  switch (step.kind) {
    case 'reasoning':
    case 'thought':
      return { kind: step.kind, text: step.text }
    case 'unknown':
      return { kind: 'unknown', data: step.data }
    case 'tool':
      return toolView(step.call)
    case 'call':
      return callView(step, found)
  }
}

function callView(step: Extract<AnswerStep, { kind: 'call' }>, found: boolean): StepView {
  const raw = step.result?.value ?? null
  if (/rewrit|改写/i.test(step.tool)) {
    const after = rewrittenIn(raw)
    if (after.length > 0) return { kind: 'rewrite', before: queryOf(step.arguments), after, raw }
  }
  const searches = /retriev|recall|search|检索|搜索/i.test(step.tool)
  return found || (searches && step.result?.status !== 'error')
    ? { kind: 'retrieval', query: queryOf(step.arguments), raw }
    : { kind: 'call', raw }
}

/** What was searched for, in the words of the arguments; '' when they name nothing of the kind. */
export function queryOf(given: unknown): string {
  const read = opened(given)
  if (typeof read === 'string') return read
  return textAt(fieldsOf(read) ?? {}, ...queryNames)
}

function rewrittenIn(raw: unknown): readonly string[] {
  const read = opened(raw)
  if (typeof read === 'string') return read.trim() === '' ? [] : [read]
  const fields = fieldsOf(read)
  const named = fields ? afterNames.map((name) => fields[name]) : [read]
  const value = named.find((one) => texts(one).length > 0)
  return texts(value)
}

const texts = (value: unknown): readonly string[] =>
  listOf(value)
    .filter((one) => typeof one === 'string')
    .filter((one) => one.trim() !== '')
    .slice(0, maxOutputs)

function toolView(call: Extract<AnswerStep, { kind: 'tool' }>['call']): StepView {
  const outputs = listOf(call['outputs'])
    .slice(0, maxOutputs)
    .map((one) => fieldsOf(one) ?? { content: one })
  const input = typeof call['input'] === 'string' ? call['input'] : ''
  switch (call.type) {
    case 'web_browser':
      return {
        kind: 'web',
        query: input,
        pages: outputs.map((one) => ({
          title: firstWords(textAt(one, 'title')),
          link: textAt(one, 'link', 'url').slice(0, addressChars),
          text: textAt(one, 'content', 'text'),
          error: textAt(one, 'error', 'error_msg'),
        })),
      }
    case 'code_interpreter':
      return {
        kind: 'code',
        code: input,
        outputs: outputs.map((one) => ({
          logs: textAt(one, 'logs', 'content'),
          error: textAt(one, 'error', 'error_msg'),
        })),
      }
    case 'drawing_tool':
      return {
        kind: 'drawing',
        prompt: input,
        pictures: outputs.map((one) => ({
          mediaId: textAt(one, 'mediaId'),
          address: textAt(one, 'image', 'url', 'content'),
          lost: textAt(one, 'trouble') !== '',
        })),
      }
    case 'retrieval':
      return { kind: 'retrieval', query: '', raw: call['outputs'] ?? null }
    case 'function':
      return { kind: 'function', outputs: outputs.map((one) => opened(one['content'] ?? one)) }
    case 'unknown':
      return { kind: 'unknown', data: call['raw'] ?? call }
  }
}

/** The arguments of a call as it was made, JSON texts opened; null where there are none to show. */
export function argumentsOf(step: AnswerStep): unknown {
  if (step.kind === 'call') return emptyToNull(opened(step.arguments))
  return step.kind === 'tool' && step.call.type === 'function'
    ? emptyToNull(opened(step.call['arguments']))
    : null
}

const emptyToNull = (value: unknown): unknown => {
  if (value === undefined || value === '') return null
  const fields = fieldsOf(value)
  return fields && Object.keys(fields).length === 0 ? null : value
}

/** Characters of a step's line. */
const lineChars = 160

/** The last words of a text that still grows, on one line. */
export function lastLineOf(text: string): string {
  const lines = text
    .slice(-4 * lineChars)
    .trimEnd()
    .split('\n')
  const last = (lines.at(-1) ?? '').replaceAll(/\s+/g, ' ').trim()
  return last.length > lineChars ? `…${last.slice(-lineChars)}` : last
}

/** The first words of a text, on one line. */
export function firstWords(text: string): string {
  const line = text
    .slice(0, 4 * lineChars)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > lineChars ? `${line.slice(0, lineChars)}…` : line
}
