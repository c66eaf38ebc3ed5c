/**
 * What a terminal would obey instead of showing: control characters of both sets but line ends and tabs, separators of lines,
 * and format characters, which turn the direction of text around or hide it. The two joiners stay: scripts are written with them.
 */
const obeyed = /(?![\n\t]|\r\n)\p{Cc}|\p{Zl}|\p{Zp}|(?![\u200c\u200d])\p{Cf}/gu

/** The text with such characters as `\\uXXXX`, as JSON would write them. */
export function visible(text: string): string {
  return text.replace(obeyed, (found) => {
    const units = Array.from({ length: found.length }, (_, at) => found.charCodeAt(at))
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
  })
}
