/** Display shape of a part of a value. */
type ValueShape =
  | { readonly kind: 'vector'; readonly length: number; readonly norm: number }
  | { readonly kind: 'list'; readonly entries: readonly (readonly [string, unknown])[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, unknown])[] }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'plain'; readonly text: string }

/** Lists of more numbers than this are shown as a vector. */
const fewNumbers = 12

/** Returns the shape of a value; lists and objects include their entries. */
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

/** The first numbers of a vector, for a preview line. */
export function vectorStart(value: unknown, count = 6): readonly string[] {
  if (!Array.isArray(value)) return []
  return value.slice(0, count).map((each) => String(Number(Number(each).toPrecision(3))))
}

/** Maximum characters and lines of a text that is shown completely; longer ones are collapsed. */
const longText = { chars: 1200, lines: 14 } as const

/** The beginning of a long text; null if the whole text is short enough. */
export function beginningOf(text: string): string | null {
  let end = Math.min(text.length, longText.chars)
  let lines = 0
  for (let i = 0; i < end; i++) if (text.charCodeAt(i) === 10 && ++lines === longText.lines) end = i
  if (end >= text.length) return null
  // Do not split a surrogate pair.
  if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end -= 1
  return text.slice(0, end)
}
