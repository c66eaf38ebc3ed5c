import createMarkdown, {
  type Env,
  type MarkdownIt,
  type StateInline,
  type Token,
} from 'markdown-it'
import { citeSignHere } from './marks.ts'
import { addMath } from './math-rules.ts'

/** A link reference definition. */
export interface Reference {
  readonly href: string
  readonly title: string
}

/** Link reference definitions by their normalized labels; the first of a label counts. Created by {@link definitions}. */
export type References = Record<string, Reference>

/** Empty definitions; or an extension of `before`, which does not see the additions. */
export function definitions(before: References | null = null): References {
  const made: unknown = Object.create(before)
  return made as References
}

/**
 * The grammar of answers: CommonMark with tables, strikethrough, autolinks, formulas and citation marks; a line break is
 * preserved.
 */
export interface Grammar {
  /**
   * Returns the blocks of a text without parsing inline content; adds the text's definitions to `references`. Definitions are
   * tokens too. `goesOn`: the text may grow, so that a formula may be open at its end.
   */
  blocks(text: string, references: References, goesOn?: boolean): Token[]
  /** Parses the inline content of an `inline` token; `asked` receives every label that a link may refer to, defined or not. */
  line(token: Token, references: References, onLabel: (label: string) => void): void
  readonly markdown: MarkdownIt
}

export function createGrammar(): Grammar {
  const blocks = parserWith(['normalize', 'block'])
  const lines = parserWith(['inline', 'linkify', 'text_join'])
  lines.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false })
  addMath(blocks)
  addMath(lines)
  lines.inline.ruler.before('html_inline', 'cite', citeInline)
  lines.renderer.rules['cite'] = (tokens, at) => lines.utils.escapeHtml(tokens[at]?.content ?? '')
  return {
    markdown: lines,
    blocks(text, references, goesOn = false) {
      const env: Env = { references, goesOn }
      return blocks.parse(text, env)
    },
    line(token, references, onLabel) {
      const env: Env = { references: trackedReferences(references, onLabel) }
      const state = new lines.core.State('', lines, env)
      state.tokens = [token]
      token.children = []
      lines.core.process(state)
    },
  }
}

function parserWith(rules: string[]): MarkdownIt {
  const markdown = new createMarkdown({
    html: true,
    linkify: true,
    breaks: true,
    typographer: false,
    maxNesting: 60,
  })
  markdown.core.ruler.enableOnly(rules)
  return markdown
}

/** Wraps references to report the labels that are looked up. */
const trackedReferences = (references: References, onLabel: (label: string) => void): References =>
  new Proxy(references, {
    get(target, label) {
      if (typeof label !== 'string') return undefined
      onLabel(label)
      return target[label]
    },
  })

function citeInline(state: StateInline, silent: boolean): boolean {
  if (state.src.charCodeAt(state.pos) !== 0x3c) return false
  citeSignHere.lastIndex = state.pos
  const found = citeSignHere.exec(state.src)
  if (!found) return false
  if (!silent) state.push('cite', '', 0).content = found[0]
  state.pos += found[0].length
  return true
}
