/** A known sentence, and the values of its names in braces. */
export interface Sentence<K extends string> {
  readonly known: K
  readonly values?: Readonly<Record<string, string>>
}

/** Finds one known sentence in a text. */
interface SentenceReader<K extends string> {
  readonly known: K
  readonly pattern: RegExp
}

/** Replaces the names in braces of a sentence with values. */
export const fillSentence = (
  sentence: string,
  values: Readonly<Record<string, string | number>>,
): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

/**
 * Creates the reader of a sentence; `alone`: it must be the whole text. The value of a name never extends beyond the end of a
 * sentence, unless it is in quotation marks or parentheses.
 */
export function readSentence<K extends string>(
  known: K,
  sentence: string,
  alone = false,
): SentenceReader<K> {
  const source = sentence
    .replaceAll(/[.*+?^$()[\]\\|/]/g, String.raw`\$&`)
    .replaceAll(/“\{(\w+)\}”/g, '“(?<$1>[^”]+)”')
    .replaceAll(/\\\(\{(\w+)\}\\\)/g, String.raw`\((?<$1>[^)]+)\)`)
    .replaceAll(/\{(\w+)\}/g, String.raw`(?<$1>(?:[^.]|\.\d)+?)`)
  return { known, pattern: new RegExp(alone ? `^${source}$` : source) }
}

/**
 * Returns the first known sentence in a text with its position; of several at the same position, the longest. Null without
 * any.
 */
export function findSentence<K extends string>(
  readers: readonly SentenceReader<K>[],
  text: string,
): { readonly sentence: Sentence<K>; readonly from: number; readonly to: number } | null {
  let best: { sentence: Sentence<K>; from: number; to: number } | null = null
  for (const { known, pattern } of readers) {
    const match = pattern.exec(text)
    if (!match) continue
    const from = match.index
    const to = from + match[0].length
    if (best && (from > best.from || (from === best.from && to <= best.to))) continue
    best = { sentence: { known, ...(match.groups && { values: { ...match.groups } }) }, from, to }
  }
  return best
}
