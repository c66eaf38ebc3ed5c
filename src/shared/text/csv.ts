/**
 * Beginnings that make a spreadsheet calculate or call something, including full-width forms, after any leading spaces and
 * quotes.
 */
const formula = /^[\s'"]*[=+\-@＝＋－＠]|^[\t\r\n]/u
/** Begins like a formula but is only a number. */
const number = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[+-]?\d+)?%?$/i

/** Returns a field that stays text (RFC 4180): formulas are prefixed with an apostrophe, numbers stay numbers. */
export function csvText(text: string): string {
  const safe = formula.test(text) && !isNumber(text) ? `'${text}` : text
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const isNumber = (text: string): boolean => /\d/.test(text) && number.test(text)
