/** Valid range of a number. */
interface NumberBounds {
  readonly min: number
  readonly max: number
  readonly whole: boolean
}

/** Parses a number with a decimal point or comma; null for empty input, undefined for an invalid number. */
export function readNumber(
  typed: string,
  { min, max, whole }: NumberBounds,
): number | null | undefined {
  const text = typed.trim().replace(',', '.')
  if (text === '') return null
  if (!/^[-+]?(\d+\.?\d*|\.\d+)$/.test(text)) return undefined
  const value = Number(text)
  if (value < min || value > max || (whole && !Number.isInteger(value))) return undefined
  return value
}
