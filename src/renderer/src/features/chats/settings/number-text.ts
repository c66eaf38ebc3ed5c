/** What a number may be. */
export interface NumberBounds {
  readonly min: number
  readonly max: number
  readonly whole: boolean
}

/** Reads a number as it was typed, with a point or a comma; null for nothing, undefined for what is no such number. */
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
