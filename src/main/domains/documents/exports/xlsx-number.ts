/** A number as a sheet stores it, with the format that displays it as written. */
interface SheetNumber {
  readonly value: number
  readonly format: string
}

/**
 * Parses text that is a plain number: `12`, `-1,234.50`, `7%`. Returns null for anything a number could not display again
 * character by character: leading zeros, exponents, more than 15 digits.
 */
export function sheetNumber(text: string): SheetNumber | null {
  const [, sign = '', whole = '', decimals = '', percent = ''] =
    /^(-?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d{1,10})?(%?)$/.exec(text) ?? []
  if (whole === '' || /^0[\d,]/.test(whole)) return null
  const digits = whole.replaceAll(',', '')
  if (digits.length + decimals.length > 15) return null
  const number = Number(`${sign}${digits}${decimals}`)
  // Negative zero would lose its sign.
  if (Object.is(number, -0)) return null
  const grouped = whole.includes(',')
  const format = `${grouped ? '#,##0' : '0'}${decimals === '' ? '' : `.${'0'.repeat(decimals.length - 1)}`}${percent}`
  return { value: percent === '' ? number : number / 100, format }
}
