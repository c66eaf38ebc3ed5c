/** Returns the pronunciations of names in Latin letters: `小晨` as `xiaochen`; null for text without Han characters. */
export type Pronunciations = (
  text: string,
) => { readonly whole: string; readonly initials: string } | null

/** Folds text for comparison: width, case, and separators are ignored. */
const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_.-]+/gu, '')

/**
 * How well a name matches the typed text, from 0 (not at all) to 1: equal, its beginning, a part of it, its letters in order, one
 * wrong letter. Han characters also match by pronunciation, in both directions: `tongtong` finds 彤彤, and 彤彤 finds tongtong.
 */
export function nameFit(
  name: string,
  typed: string,
  pronunciations: Pronunciations = () => null,
): number {
  const wanted = fold(typed)
  if (wanted === '') return 1
  const read = pronunciations(name)
  const names = [name, ...(read ? [read.whole, read.initials] : [])].map(fold)
  const queries = [wanted, fold(pronunciations(typed)?.whole ?? '')].filter((one) => one !== '')
  return Math.max(...names.flatMap((one) => queries.map((each) => fit(one, each))))
}

function fit(name: string, wanted: string): number {
  if (name === wanted) return 1
  if (name.startsWith(wanted)) return 0.9
  if (name.includes(wanted)) return 0.8
  if (wanted.length >= 2 && inOrder(name, wanted)) return 0.6
  if (wanted.length >= 4 && distance(name.slice(0, wanted.length + 1), wanted) <= 1) return 0.5
  return 0
}

/** Whether all letters occur in order, with few others between. */
function inOrder(name: string, wanted: string): boolean {
  const letters = [...wanted]
  let at = 0
  let first = -1
  for (const [i, letter] of [...name].entries()) {
    if (letter !== letters[at]) continue
    if (at === 0) first = i
    at++
    if (at === letters.length) return i - first < letters.length * 2
  }
  return false
}

/** Edit distance by insertion, deletion, substitution and swap of neighbors; trailing characters of `a` cost nothing. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, i) => i)]
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    rows.push([i])
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const ways = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (same ? 0 : 1)]
      rows[i]?.push(Math.min(...ways, swapped ? at(i - 2, j - 2) + 1 : Infinity))
    }
  }
  return Math.min(...rows.map((row) => row[b.length] ?? Infinity))
}

const han = /\p{Script=Han}/u

/** Loads the pronunciations of Han characters, which are only needed if there are any. */
export async function loadPronunciations(): Promise<Pronunciations> {
  const { pinyin } = await import('pinyin-pro')
  return (text) =>
    han.test(text)
      ? {
          whole: pinyin(text, { toneType: 'none', separator: '', nonZh: 'consecutive' }),
          initials: pinyin(text, { pattern: 'first', toneType: 'none', separator: '' }),
        }
      : null
}

/** Whether any text needs its pronunciation for comparison. */
export const needsPronunciations = (texts: readonly string[]): boolean =>
  texts.some((text) => han.test(text))
