import type { Token } from 'markdown-it'
import type { Formula } from '../math-spans.ts'
import type { Steps } from '../render-queue.ts'
import type { Grammar, References } from './grammar.ts'
import { formulaOf } from './math-rules.ts'

/** Letters of a text that are made into HTML in one step. */
const lettersOfStep = 4000

/** What a piece of an answer is made into before it is cleaned. */
export interface FragmentHtml {
  readonly html: string
  /** Formulas, of which the HTML has markers. */
  readonly formulas: readonly Formula[]
}

/** What a piece is made with. */
export interface HtmlOptions {
  readonly grammar: Grammar
  readonly references: References
  /** Hears every label that a link of the piece may mean. */
  readonly onLabel: (label: string) => void
}

/** Makes tokens into HTML that is not cleaned, a little at a time. Paragraphs of the outermost list are always there: its class says how it stands. */
export function* htmlOf(tokens: readonly Token[], options: HtmlOptions): Steps<FragmentHtml> {
  const { markdown } = options.grammar
  const all = tokens.filter(({ type }) => type !== 'reference_definition')
  const formulas: Formula[] = []
  const parts: string[] = []
  let letters = 0
  for (const [at, token] of all.entries()) {
    if (token.hidden && token.level === 2 && isOfList(tokens)) token.hidden = false
    if (token.type === 'inline') {
      if (isTask(all, at)) token.content = boxed(token.content)
      options.grammar.line(token, options.references, options.onLabel)
      const children = token.children ?? []
      for (const child of children) if (child.type === 'math') mark(child, formulas)
      parts.push(markdown.renderer.renderInline(children, markdown.options, {}))
    } else parts.push(blockHtml(all, at, formulas, options))
    letters += token.content.length + 20
    if (letters < lettersOfStep) continue
    letters = 0
    yield 0
  }
  return { html: parts.join(''), formulas }
}

const isOfList = (tokens: readonly Token[]): boolean => /^(?:ul|ol|li)$/.test(tokens[0]?.tag ?? '')

/** Puts a formula away; its token is its marker from now on. */
function mark(token: Token, formulas: Formula[]): string {
  const marker = `\u{FDD0}${formulas.length}\u{FDD1}`
  formulas.push(formulaOf(token))
  token.type = 'text'
  token.content = marker
  return marker
}

function blockHtml(
  tokens: Token[],
  at: number,
  formulas: Formula[],
  { grammar: { markdown } }: HtmlOptions,
): string {
  const token = tokens[at]
  if (!token) return ''
  const { escapeHtml } = markdown.utils
  switch (token.type) {
    case 'math':
      return `<p>${mark(token, formulas)}</p>\n`
    case 'fence':
      return `<pre lang="${escapeHtml(languageOf(token.info))}"><code>${escapeHtml(token.content)}</code></pre>\n`
    case 'code_block':
      return `<pre><code>${escapeHtml(token.content)}</code></pre>\n`
    default: {
      const { rules } = markdown.renderer
      const rule = rules[token.type]
      return rule
        ? rule(tokens, at, markdown.options, {}, markdown.renderer)
        : markdown.renderer.renderToken(tokens, at, markdown.options)
    }
  }
}

/** The first word of what stands behind a fence's signs, without braces and the like. */
export const languageOf = (info: string): string =>
  /^[\w+#.-]{1,40}/.exec(info.trim().replace(/^\{\.?/, ''))?.[0] ?? ''

const task = /^\[([ xX])\] /

const isTask = (tokens: readonly Token[], at: number): boolean =>
  tokens[at - 1]?.type === 'paragraph_open' &&
  tokens[at - 2]?.type === 'list_item_open' &&
  task.test(tokens[at]?.content ?? '')

const boxed = (content: string): string =>
  content.replace(task, (_, sign: string) => (sign === ' ' ? '☐ ' : '☑ '))
