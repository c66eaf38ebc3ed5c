/** Scripts without spaces between words or sentences; Hangul has them. */
const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\uff00-\uffef]/u
/** Punctuation that includes its own space. */
const wideMark = /[\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/u

/** Joins texts, with a space in between if the script uses one. Empty ones are skipped. */
export function joinTexts(texts: readonly string[]): string {
  let joined = ''
  for (const text of texts) {
    const next = text.trim()
    if (next === '') continue
    joined += joined !== '' && spaceBetween(joined, next) ? ` ${next}` : next
  }
  return joined
}

function spaceBetween(left: string, right: string): boolean {
  const last = Array.from(left.slice(-2)).at(-1) ?? ''
  const first = String.fromCodePoint(right.codePointAt(0) ?? 32)
  if (wideMark.test(last) || wideMark.test(first)) return false
  return !(unspaced.test(last) && unspaced.test(first))
}
