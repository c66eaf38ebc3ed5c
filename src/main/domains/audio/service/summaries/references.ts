/** A text without its line references, and their numbers. */
interface Referenced {
  readonly text: string
  /** In order of occurrence, without duplicates, 1 to `most`. */
  readonly numbers: readonly number[]
}

const brackets =
  /[[【［]([^[\]【】［］]{1,300})[\]】］]|[(（]((?:lines?|第)[^()（）]{1,300})[)）]/giu

/** Filler words next to line numbers. */
const around = /lines?|rows?|nos?\.|points?|and|第|行|[#lL]|[,，、;；&和]/giu

/** Maximum number of lines for one point; a point that refers to all lines refers to none. */
const maxNumbers = 1_000

/**
 * Parses line numbers as assistants write them: `[3, 7-9]`, `[3][5]`, `【3】`, `[line 3]`, `(lines 3–5)`. Other brackets stay text.
 */
export function readReferences(text: string, lastNumber: number): Referenced {
  const numbers = new Set<number>()
  const rest = text.replaceAll(brackets, (whole, inner?: string, worded?: string) => {
    const found = numbersIn(inner ?? worded ?? '', lastNumber)
    if (!found) return whole
    for (const one of found) if (numbers.size < maxNumbers) numbers.add(one)
    return ''
  })
  return { text: numbers.size > 0 || rest !== text ? tidy(rest) : text, numbers: [...numbers] }
}

/** The numbers of a list with ranges; null if it contains anything else. Ranges are limited to `most`. */
function numbersIn(inner: string, lastNumber: number): readonly number[] | null {
  const list = inner.replaceAll(/\s*[-–—~～至到]\s*[#lL]?\s*(?=\d)/g, '-').replaceAll(around, ' ')
  const parts = list.trim().split(/\s+/)
  const numbers: number[] = []
  for (const part of parts) {
    const range = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(part)
    if (!range) return null
    const from = Number(range[1])
    const to = Math.min(Number(range[2] ?? from), lastNumber, from + maxNumbers)
    for (let at = Math.max(1, from); at <= to; at += 1) numbers.push(at)
  }
  return numbers
}

/** Removes spaces and punctuation left over from line numbers. */
const tidy = (text: string): string =>
  text
    .replaceAll(/\s+([.,;:!?。，；：！？])/gu, '$1')
    .replaceAll(/[([（【]\s*[)\]）】]/gu, '')
    .replaceAll(/\s{2,}/g, ' ')
    .trim()
