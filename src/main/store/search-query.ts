import { fold } from './search-fold.ts'
import { pieces, pushPairs, type Piece } from './search-text.ts'

/** One thing that must be found: pieces that follow each other with nothing but breaks between. */
export interface Term {
  readonly pieces: readonly Piece[]
  /** The last word may go on: it is still being typed. */
  readonly open: boolean
}

/** More terms than anybody types; the rest of a pasted page is ignored. */
const maxTerms = 16

/** A query as typed, in terms: quoted text stays together, the last unquoted word may go on. No input is an error. */
export function parseQuery(query: string): readonly Term[] {
  const terms: Term[] = []
  const chunks = Array.from(query.matchAll(/["“”„＂]([^"“”„＂]*)(?:["“”„＂]|$)|([^\s"“”„＂]+)/gu))
  for (const [index, chunk] of chunks.entries()) {
    const quoted = chunk[1] !== undefined
    const found = Array.from(pieces(fold(chunk[1] ?? chunk[2] ?? '')))
    if (found.length === 0) continue
    terms.push({ pieces: found, open: !quoted && index === chunks.length - 1 })
    if (terms.length === maxTerms) break
  }
  return terms
}

/** The terms as an FTS5 expression. Tokens hold letters and digits only, so that nothing in them can be syntax. */
export function matchExpression(terms: readonly Term[]): string {
  return terms.map(phrase).join(' AND ')
}

function phrase(term: Term): string {
  const tokens: string[] = []
  let prefix = false
  for (const [index, piece] of term.pieces.entries()) {
    const last = index === term.pieces.length - 1
    if (piece.kind === 'word') {
      tokens.push(piece.text)
      prefix = last && term.open
      continue
    }
    const single = Array.from(piece.text).length === 1
    pushPairs(tokens, piece.text, !last || single)
    prefix = last && single
  }
  return `"${tokens.join(' ')}"${prefix ? ' *' : ''}`
}
