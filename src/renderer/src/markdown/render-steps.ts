import createMarkdown, { type Env, type MarkdownIt, type Token } from 'markdown-it'
import type { Steps } from './render-queue.ts'

/** Characters of a text that are converted to HTML in one step. */
const lettersOfStep = 4000

/** Converts Markdown to unsanitized HTML in steps. */
export type MarkdownRenderer = (text: string) => Steps<string>

/** Creates a renderer; its result is the same as without steps. */
export function createMarkdownRenderer(): MarkdownRenderer {
  const blocks = markdownWith(['normalize', 'block', 'strip_references'])
  const lines = markdownWith(['inline', 'text_join'])
  return function* render(text) {
    const env: Env = {}
    const tokens = blocks.parse(text, env)
    yield 0
    const parts: string[] = []
    let letters = 0
    for (const [at, token] of tokens.entries()) {
      if (token.type === 'inline') parseLine(lines, token, env)
      parts.push(htmlOf(lines, tokens, at, env))
      letters += token.content.length + 20
      if (letters < lettersOfStep) continue
      letters = 0
      yield 0
    }
    return parts.join('')
  }
}

function markdownWith(rules: string[]): MarkdownIt {
  const markdown = new createMarkdown({
    html: true,
    linkify: false,
    typographer: false,
    maxNesting: 60,
  })
  markdown.core.ruler.enableOnly(rules)
  return markdown
}

function parseLine(markdown: MarkdownIt, token: Token, env: Env): void {
  const state = new markdown.core.State('', markdown, env)
  state.tokens = [token]
  markdown.core.process(state)
}

function htmlOf(markdown: MarkdownIt, tokens: Token[], at: number, env: Env): string {
  const { renderer, options } = markdown
  const token = tokens[at]
  if (!token) return ''
  if (token.type === 'inline') return renderer.renderInline(token.children ?? [], options, env)
  const rule = renderer.rules[token.type]
  return rule ? rule(tokens, at, options, env, renderer) : renderer.renderToken(tokens, at, options)
}
