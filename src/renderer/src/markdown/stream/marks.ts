/** What stands for a reference mark in the text that is parsed: it begins as a tag does, so the signs around it mean what they meant. */
const sign = '\u{FDD2}'

/** Finds the signs of {@link createIntake} in a text; its group is the number. */
export const citeSigns = /<\u{FDD2}(\d{1,6})>/gu

/** The same at one place of a text, set by `lastIndex`. */
export const citeSignHere = /<\u{FDD2}(\d{1,6})>/uy

/** The sign of a number. */
export const citeSign = (number: number): string => `<${sign}${number}>`

const mark =
  /<reference\s{1,4}data-ref\s{0,4}=\s{0,4}(?:"([^"<>]{0,200})"|'([^'<>]{0,200})'|([^\s"'<>/]{1,200}))\s{0,4}(?:\/\s{0,4}>|>[^<>]{0,200}<\/reference\s{0,4}>)/iy
/** What may become a mark when more comes. */
const begun =
  /<reference(?:\s[^<>]{0,220})?$|<reference\s[^<>]{1,220}>[^<>]{0,200}(?:<[^<>]{0,14})?$/iy
const name = '<reference'

/** Takes in the text of an answer as it comes. Its marks are numbered 1, 2, 3 in the order in which they first come. */
export interface Intake {
  /** The text to parse that the next piece brings: line ends are `\n`, marks are signs, and a mark that is not whole is held back. */
  take(chunk: string): string
  /** What was held back when nothing more comes: begun marks are left out. */
  end(): string
}

/** Builds an intake with nothing taken in. */
export function createIntake(): Intake {
  let held = ''
  // As `shownNumbers` counts them.
  const shown = new Map<number, number>()
  const shownOf = (number: number): number => {
    const known = shown.get(number) ?? shown.size + 1
    shown.set(number, known)
    return known
  }
  return {
    take(chunk) {
      const text = held + chunk
      const parts: string[] = []
      let from = 0
      held = ''
      for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
        if (at < from) continue
        if (!mayBegin(text, at)) continue
        mark.lastIndex = at
        const found = mark.exec(text)
        if (found) {
          const numbers = numbersOf(found[1] ?? found[2] ?? found[3] ?? '')
          parts.push(
            plain(text.slice(from, at)),
            ...numbers.map((number) => citeSign(shownOf(number))),
          )
          from = at + found[0].length
          continue
        }
        begun.lastIndex = at
        if (text.length - at >= name.length && !begun.test(text)) continue
        parts.push(plain(text.slice(from, at)))
        held = text.slice(at)
        return parts.join('')
      }
      // A line may end with two signs, of which one is here.
      const end = text.endsWith('\r') ? text.length - 1 : text.length
      held = text.slice(end)
      parts.push(plain(text.slice(from, end)))
      return parts.join('')
    },
    end() {
      const rest = /^<ref/i.test(held) ? '' : plain(held)
      held = ''
      return rest
    },
  }
}

/** Whether a mark's name stands at a place, or as much of it as there is. */
const mayBegin = (text: string, at: number): boolean => {
  const near = text.slice(at, at + name.length).toLowerCase()
  return near.length === name.length ? near === name : name.startsWith(near)
}

/** Signs of our own cannot be written by others; NUL is no text. */
const plain = (text: string): string =>
  /[\r\0\u{FDD0}-\u{FDD3}]/u.test(text)
    ? text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\0\u{FDD0}-\u{FDD3}]/gu, '\u{FFFD}')
    : text

const numbersOf = (named: string): readonly number[] => [
  ...new Set((named.match(/\d{1,6}/g) ?? []).slice(0, 50).map(Number)),
]
