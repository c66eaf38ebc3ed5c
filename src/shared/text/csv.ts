/** Beginnings that make a spreadsheet calculate or call something, wide forms too, behind whatever spaces and quotes stand first. */
const formula = /^[\s'"]*[=+\-@＝＋－＠]|^[\t\r\n]/u
/** What begins like a formula and is only a number. */
const number = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[+-]?\d+)?%?$/i

/** A field that stays text (RFC 4180): an apostrophe stands in front of what would be calculated, numbers stay numbers. */
export function csvText(text: string): string {
  const safe = formula.test(text) && !isNumber(text) ? `'${text}` : text
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const isNumber = (text: string): boolean => /\d/.test(text) && number.test(text)
