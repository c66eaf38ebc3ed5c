/** How names are read aloud in Latin letters: `小晨` as `xiaochen`; null for text without Han characters. */
export type Pronunciations = (
  text: string,
) => { readonly whole: string; readonly initials: string } | null

/** Folded for comparing: width, case, and what is between the words left out. */
const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s_.-]+/gu, '')

/**
 * How well a name fits what was typed, from 0 (not at all) to 1: the same, its beginning, a part of it, its letters in order, a letter
 * wrong. Han characters also fit by how they are read, on either side: `tongtong` finds 彤彤, and 彤彤 finds tongtong.
 */
export function nameFit(name: string, typed: string, pronunciations: Pronunciations = () => null): number {
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

/** All letters one after the other, with few others between. */
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

/** Letters that are to be added, left out, exchanged, or that changed places with their neighbour; what follows in `a` counts nothing. */
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

/** Loads the readings of Han characters, which are only needed where there are some. */
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

/** Whether any of these is to be read aloud to be compared. */
export const needsPronunciations = (texts: readonly string[]): boolean =>
  texts.some((text) => han.test(text))
