/**
 * Characters that a terminal would interpret instead of showing: control characters of both sets except line ends and tabs, line
 * separators, and format characters, which change the text direction or hide text. The two joiners stay: some scripts need them.
 */
const obeyed = /(?![\n\t]|\r\n)\p{Cc}|\p{Zl}|\p{Zp}|(?![\u200c\u200d])\p{Cf}/gu

/** The text with such characters escaped as `\\uXXXX`, as in JSON. */
export function visible(text: string): string {
  return text.replace(obeyed, (found) => {
    const units = Array.from({ length: found.length }, (_, at) => found.charCodeAt(at))
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
  })
}
