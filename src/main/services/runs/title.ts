/** Fields whose text says what a run is about, most telling first. */
const titleFields = ['query', 'text', 'input', 'voiceName', 'name', 'word', 'url'] as const

/** Characters of a title nobody has chosen. */
const maxTitleChars = 120

/** A title for a run nobody has named: its file, the question or the text it is about, else the operation's name. */
export function runTitle(
  operation: string,
  input: Readonly<Record<string, unknown>>,
  fileName: string | null,
): string {
  const about = firstText(input['messages']) ?? titleFields.map((name) => firstText(input[name])).find(Boolean)
  return shownTitle(fileName ?? '') || shownTitle(about ?? '') || operation
}

/** A text as a title: its beginning in one line, without control, direction or other invisible characters; may be empty. */
export function shownTitle(text: string): string {
  const line = text
    .slice(0, maxTitleChars * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.length <= maxTitleChars ? line : `${line.slice(0, maxTitleChars - 1).toWellFormed()}…`
}

/** The words of a text, of the first text of a list, or of a message. */
function firstText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined
  if (Array.isArray(value)) return firstText(value[0])
  if (typeof value !== 'object' || value === null) return undefined
  return 'content' in value ? firstText(value.content) : 'text' in value ? firstText(value.text) : undefined
}
