import { charClass, classOf, fold } from './fold.ts'

/** A range of folded text that search treats as a unit: a word, or a run of a script without spaces. */
export interface TextUnit {
  readonly kind: 'word' | 'run'
  readonly text: string
  readonly start: number
}

/** Yields the words and runs of a folded text in order. */
export function* textUnits(folded: string): Generator<TextUnit> {
  let kind: number = charClass.break
  let start = 0
  for (let at = 0; at < folded.length;) {
    const codePoint = folded.codePointAt(at) ?? 0
    const next = classOf(codePoint)
    if (next !== kind) {
      if (kind !== charClass.break) yield textUnit(kind, folded, start, at)
      kind = next
      start = at
    }
    at += codePoint > 0xffff ? 2 : 1
  }
  if (kind !== charClass.break) yield textUnit(kind, folded, start, folded.length)
}

function textUnit(kind: number, folded: string, start: number, end: number): TextUnit {
  return {
    kind: kind === charClass.word ? 'word' : 'run',
    text: folded.slice(start, end),
    start,
  }
}

/**
 * Returns the index tokens of a text, joined by spaces: words unchanged, runs as overlapping pairs plus their last character
 * alone (so that every character starts one token: one-character terms are prefixes, and a run's end differs from its
 * middle). For FTS5 with `tokenize='ascii'`, which splits only at spaces, and `prefix='1'`.
 */
export function indexTokens(text: string): string {
  const tokens: string[] = []
  for (const found of textUnits(fold(text))) {
    if (found.kind === 'word') tokens.push(found.text)
    else pushPairs(tokens, found.text, true)
  }
  return tokens.join(' ')
}

/** Adds a run's overlapping pairs, and its last character alone when `closed`. */
export function pushPairs(tokens: string[], run: string, closed: boolean): void {
  let at = 0
  let size = charSize(run, 0)
  while (at + size < run.length) {
    const nextSize = charSize(run, at + size)
    tokens.push(run.slice(at, at + size + nextSize))
    at += size
    size = nextSize
  }
  if (closed) tokens.push(run.slice(at))
}

const charSize = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  return unit >= 0xd800 && unit <= 0xdbff && at + 1 < text.length ? 2 : 1
}
