import createMarkdown, {
  type Env,
  type MarkdownIt,
  type StateInline,
  type Token,
} from 'markdown-it'
import { citeSignHere } from './marks.ts'
import { addMath } from './math-rules.ts'

/** What a link reference definition says. */
export interface Reference {
  readonly href: string
  readonly title: string
}

/** Link reference definitions by their normalised labels; the first of a label counts. Made by {@link definitions}. */
export type References = Record<string, Reference>

/** No definitions yet; or those of `before`, to which others are added that it never sees. */
export function definitions(before: References | null = null): References {
  const made: unknown = Object.create(before)
  return made as References
}

/** The grammar of answers: CommonMark with tables, deletions, addresses as links, formulas and reference marks; a line break is one. */
export interface Grammar {
  /**
   * Blocks of a text, lines not parsed; adds what the text defines to `references`. Definitions are tokens too. `goesOn`: more of
   * the text may come, so that a formula may be open at its end.
   */
  blocks(text: string, references: References, goesOn?: boolean): Token[]
  /** Parses the line of an `inline` token; `asked` hears every label that a link may mean, defined or not. */
  line(token: Token, references: References, onLabel: (label: string) => void): void
  readonly markdown: MarkdownIt
}

/** Builds it. */
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

/** References that tell which of them are looked up. */
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
