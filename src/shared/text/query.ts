import { charClass, classOf, fold } from './fold.ts'
import { textUnits, pushPairs, type TextUnit } from './cut.ts'

/** One required term: pieces that follow each other with only breaks in between. */
export interface Term {
  readonly parts: readonly TextUnit[]
  /** Whether the last word may be incomplete, since it is still being typed. */
  readonly open: boolean
}

/** More terms than any typed query; the rest of a pasted page is ignored. */
const maxTerms = 16

/**
 * Parses a query into terms: quoted text stays together, the last unquoted word may be incomplete. No input is an error.
 */
export function parseQuery(query: string): readonly Term[] {
  const terms: Term[] = []
  const chunks = Array.from(query.matchAll(/["“”„＂]([^"“”„＂]*)(?:["“”„＂]|$)|([^\s"“”„＂]+)/gu))
  for (const [index, chunk] of chunks.entries()) {
    const quoted = chunk[1] !== undefined
    const found = Array.from(textUnits(fold(chunk[1] ?? chunk[2] ?? '')))
    if (found.length === 0) continue
    terms.push({ parts: found, open: !quoted && index === chunks.length - 1 })
    if (terms.length === maxTerms) break
  }
  return terms
}

/**
 * Returns the terms as an FTS5 expression. Tokens contain only letters and digits, so that nothing in them can be syntax.
 */
export function matchExpression(terms: readonly Term[]): string {
  return terms.map(phrase).join(' AND ')
}

function phrase(term: Term): string {
  const tokens: string[] = []
  let prefix = false
  for (const [index, unit] of term.parts.entries()) {
    const last = index === term.parts.length - 1
    if (unit.kind === 'word') {
      tokens.push(unit.text)
      prefix = last && term.open
      continue
    }
    const single = Array.from(unit.text).length === 1
    pushPairs(tokens, unit.text, !last || single)
    prefix = last && single
  }
  return `"${tokens.join(' ')}"${prefix ? ' *' : ''}`
}

/** More distinct tokens than any question; the rest of a pasted page adds little to its meaning. */
const maxTokens = 256

/**
 * Returns the distinct tokens of a question, in order: its words, and the pairs of its runs; a run of one character is
 * itself. These are the tokens it would share with {@link indexTokens} of a text that answers it.
 */
export function queryTokens(question: string): readonly string[] {
  const tokens: string[] = []
  for (const found of textUnits(fold(question))) {
    if (found.kind === 'word') tokens.push(found.text)
    else pushPairs(tokens, found.text, Array.from(found.text).length === 1)
  }
  return Array.from(new Set(tokens)).slice(0, maxTokens)
}

/**
 * Returns a question as an FTS5 expression that any of its tokens satisfies, for ranking by bm25(); empty when it contains no
 * word. Unlike {@link matchExpression}, which requires every term like a search box, since a question has words that its
 * answer lacks.
 */
export function anyExpression(question: string): string {
  return queryTokens(question)
    .map((token) => (isSingleRun(token) ? `"${token}" *` : `"${token}"`))
    .join(' OR ')
}

/** The index contains a run's characters as the beginnings of pairs, so that a single one is found as a prefix. */
const isSingleRun = (token: string): boolean =>
  Array.from(token).length === 1 && classOf(token.codePointAt(0) ?? 0) === charClass.run
