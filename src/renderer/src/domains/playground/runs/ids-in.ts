/** Maximum number of IDs extracted from one text. */
const maxIds = 50
/** Pattern of an ID. */
const idPattern = /^(?=.*[A-Za-z0-9])[\w.:~-]{1,200}$/

/**
 * Extracts IDs of provider objects from pasted text: IDs separated by lines, spaces or commas; URLs that end in one
 * (`…/responses/ID`, `…/async-result/ID?x`); JSON with fields of one of these names, at any depth. Unique, in order, 50 at most.
 */
export function idsIn(text: string, names: readonly string[]): readonly string[] {
  const found = new Set<string>()
  const add = (value: unknown): void => {
    if (typeof value === 'string' && idPattern.test(value.trim())) found.add(value.trim())
  }
  const json = parsed(text)
  if (json === undefined && /^\s*[{[]/.test(text)) for (const id of cutOff(text, names)) add(id)
  else if (json === undefined) for (const word of text.split(/[\s,;"'<>]+/)) add(idOf(word))
  else if (typeof json === 'string') add(idOf(json))
  else walk(json, names, add, 0)
  return [...found].slice(0, maxIds)
}

/** Extracts IDs from incomplete JSON. */
const cutOff = (text: string, names: readonly string[]): readonly string[] =>
  [...text.matchAll(/"(\w+)"\s*:\s*"([^"]*)"/g)].flatMap(([, name = '', value = '']) =>
    names.includes(name) ? [value] : [],
  )

/** Returns the ID in a word: the last part of a URL, or the word itself. */
function idOf(word: string): string {
  if (!/^https?:\/\//i.test(word)) return word.replace(/^\/?(?:v\d\/)?[a-z_-]+\//i, '')
  if (!URL.canParse(word)) return ''
  const parts = new URL(word).pathname.split('/').filter((part) => part !== '')
  // `…/responses/ID/input_items` refers to the same ID.
  const at = parts.findIndex((part) => /^(responses|async-result)$/.test(part))
  return decodeURIComponent((at >= 0 ? parts[at + 1] : parts.at(-1)) ?? '')
}

/** Maximum depth of JSON that is searched. */
const deepest = 8

function walk(
  value: unknown,
  names: readonly string[],
  add: (value: unknown) => void,
  depth: number,
): void {
  if (typeof value !== 'object' || value === null || depth > deepest) return
  if (Array.isArray(value)) {
    for (const each of value) {
      if (typeof each === 'string') add(idOf(each))
      else walk(each, names, add, depth + 1)
    }
    return
  }
  const fields = value as Readonly<Record<string, unknown>>
  const name = names.find((one) => typeof fields[one] === 'string')
  // IDs below an object that has one belong to its parts.
  if (name !== undefined) add(fields[name])
  else for (const each of Object.values(fields)) walk(each, names, add, depth + 1)
}

function parsed(text: string): unknown {
  const trimmed = text.trim()
  if (!/^[{["]/.test(trimmed)) return undefined
  try {
    return JSON.parse(trimmed) as unknown
  } catch {
    return undefined
  }
}
