import { Converter } from 'opencc-js/t2cn'

/** Cache of characters, which occur repeatedly. */
const known = new Map<string, string>()
let convert: ((text: string) => string) | null = null

/**
 * Converts Traditional characters to Simplified ones, one by one: which of several forms is meant does not matter for
 * comparison.
 */
export function simplified(text: string): string {
  if (!/\p{sc=Han}/u.test(text)) return text
  let made = known.get(text)
  if (made === undefined) {
    convert ??= Converter({ from: 't', to: 'cn' })
    made = convert(text)
    if (text.length <= 2) known.set(text, made)
  }
  return made
}
