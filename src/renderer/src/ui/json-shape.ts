/** How a part of a value is shown. */
export type ValueShape =
  | { readonly kind: 'vector'; readonly length: number; readonly norm: number }
  | { readonly kind: 'list'; readonly entries: readonly (readonly [string, unknown])[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, unknown])[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'plain'; readonly text: string }

/** Lists of more numbers than this are a vector: nobody reads them one by one. */
const fewNumbers = 12

/** What a part of a value is; lists and objects give their parts. */
export function shapeOf(value: unknown): ValueShape {
  if (typeof value === 'string') return { kind: 'text', text: value }
  if (Array.isArray(value)) {
    if (value.length > fewNumbers && value.every((each) => typeof each === 'number'))
      return {
        kind: 'vector',
        length: value.length,
        norm: Math.sqrt(value.reduce((sum, each) => sum + each * each, 0)),
      }
    return { kind: 'list', entries: value.map((each, index) => [String(index), each] as const) }
  }
  if (typeof value === 'object' && value !== null)
    return { kind: 'object', entries: Object.entries(value) }
  return { kind: 'plain', text: JSON.stringify(value) ?? 'null' }
}

/** The first numbers of a vector, for a line. */
export function vectorStart(value: unknown, count = 6): readonly string[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, count).map((each) => String(Number(Number(each).toPrecision(3))))
}

/** Texts longer than this, in characters, or of more lines, are shown in part until all of it is wanted. */
export const longText = { chars: 1200, lines: 14 } as const

/** The beginning of a long text; null when all of it is short enough. */
export function beginningOf(text: string): string | null {
  let end = Math.min(text.length, longText.chars)
  let lines = 0
  for (let i = 0; i < end; i++) if (text.charCodeAt(i) === 10 && ++lines === longText.lines) end = i
  if (end >= text.length) return null
  // A character of two units is not cut in two.
  if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1
  return text.slice(0, end)
}
