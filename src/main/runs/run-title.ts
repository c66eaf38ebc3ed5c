/** Fields whose text describes a run, most descriptive first. */
const titleFields = ['query', 'text', 'input', 'voiceName', 'name', 'word', 'url'] as const

/** Maximum length of an automatic title in characters. */
const maxTitleChars = 120

/** An automatic title for a run: its file, question or text, else the operation's name. */
export function runTitle(
  operation: string,
  input: Readonly<Record<string, unknown>>,
  fileName: string | null,
): string {
  const about =
    firstText(input['messages']) ?? titleFields.map((name) => firstText(input[name])).find(Boolean)
  return shownTitle(fileName ?? '') || shownTitle(about ?? '') || operation
}

/** A text as a one-line title: its beginning, without control, direction or other invisible characters; may be empty. */
export function shownTitle(text: string): string {
  const line = text
    .slice(0, maxTitleChars * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return line.length <= maxTitleChars ? line : `${line.slice(0, maxTitleChars - 1).toWellFormed()}…`
}

/** The text of a value, of the first text of a list, or of a message. */
function firstText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined
  if (Array.isArray(value)) return firstText(value[0])
  if (typeof value !== 'object' || value === null) return undefined
  return 'content' in value
    ? firstText(value.content)
    : 'text' in value
      ? firstText(value.text)
      : undefined
}
