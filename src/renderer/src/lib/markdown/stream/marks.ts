/** Stands for a citation mark in parsed text: it starts like a tag, so that the surrounding punctuation keeps its meaning. */
const sign = '\u{FDD2}'

/** Matches the signs of {@link createIntake} in a text; its group is the number. */
export const citeSigns = /<\u{FDD2}(\d{1,6})>/gu

/** The same at one position of a text, set by `lastIndex`. */
export const citeSignHere = /<\u{FDD2}(\d{1,6})>/uy

/** The sign of a number. */
export const citeSign = (number: number): string => `<${sign}${number}>`

const mark =
  /<reference\s{1,4}data-ref\s{0,4}=\s{0,4}(?:"([^"<>]{0,200})"|'([^'<>]{0,200})'|([^\s"'<>/]{1,200}))\s{0,4}(?:\/\s{0,4}>|>[^<>]{0,200}<\/reference\s{0,4}>)/iy
/** Matches an incomplete mark. */
const begun =
  /<reference(?:\s[^<>]{0,220})?$|<reference\s[^<>]{1,220}>[^<>]{0,200}(?:<[^<>]{0,14})?$/iy
const name = '<reference'

/** Processes the text of an answer as it is received. Its marks are numbered 1, 2, 3 in order of first occurrence. */
interface Intake {
  /** Returns the text to parse after the next chunk: line ends are `\n`, marks are signs, and an incomplete mark is held back. */
  take(chunk: string): string
  /** Returns the held-back text at the end, without incomplete marks. */
  end(): string
}

export function createIntake(): Intake {
  let held = ''
  // Same numbering as `shownNumbers`.
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
      // A line may end with two characters, of which only one was received.
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

/** Whether a position has a mark's name, or an incomplete one at the end of the text. */
const mayBegin = (text: string, at: number): boolean => {
  const near = text.slice(at, at + name.length).toLowerCase()
  return near.length === name.length ? near === name : name.startsWith(near)
}

/** Removes our own signs, which content must not contain, and NUL. */
const plain = (text: string): string =>
  /[\r\0\u{FDD0}-\u{FDD3}]/u.test(text)
    ? text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\0\u{FDD0}-\u{FDD3}]/gu, '\u{FFFD}')
    : text

const numbersOf = (named: string): readonly number[] => [
  ...new Set((named.match(/\d{1,6}/g) ?? []).slice(0, 50).map(Number)),
]
