import type { Token } from 'markdown-it'
import type { Formula } from '../math-spans.ts'
import type { Steps } from '../render-steps.ts'
import type { Grammar, References } from './grammar.ts'
import { formulaOf } from './math-rules.ts'

/** Characters of a text that are converted to HTML in one step. */
const lettersOfStep = 4000

/** HTML of a piece of an answer before sanitizing. */
interface FragmentHtml {
  readonly html: string
  /** Formulas, for which the HTML contains markers. */
  readonly formulas: readonly Formula[]
}

/** Options for creating HTML. */
interface HtmlOptions {
  readonly grammar: Grammar
  readonly references: References
  /** Receives every label that a link of the piece may refer to. */
  readonly onLabel: (label: string) => void
}

/**
 * Converts tokens to unsanitized HTML in steps. The outermost list always has paragraphs: its class determines whether it is
 * loose.
 */
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

/** Replaces a formula's token with a marker. */
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

/** The first word of a fence's info string, without braces and similar characters. */
export const languageOf = (info: string): string =>
  /^[\w+#.-]{1,40}/.exec(info.trim().replace(/^\{\.?/, ''))?.[0] ?? ''

const task = /^\[([ xX])\] /

const isTask = (tokens: readonly Token[], at: number): boolean =>
  tokens[at - 1]?.type === 'paragraph_open' &&
  tokens[at - 2]?.type === 'list_item_open' &&
  task.test(tokens[at]?.content ?? '')

const boxed = (content: string): string =>
  content.replace(task, (_, sign: string) => (sign === ' ' ? '☐ ' : '☑ '))
