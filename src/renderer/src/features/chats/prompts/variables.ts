/** Names that a prompt leaves open, in their order, each once; those that fill themselves are not among them. */
export function openNames(text: string): readonly string[] {
  const names = [...text.matchAll(variable)].map((match) => (match[1] ?? '').trim())
  return [...new Set(names)].filter((name) => !own.has(name.toLowerCase()))
}

/** The prompt with its names filled in; `date` is today as the reader writes it. A name without a value stays as it is. */
export function filled(text: string, values: ReadonlyMap<string, string>, date: string): string {
  return text.replaceAll(variable, (whole, raw: string) => {
    const name = raw.trim()
    if (own.has(name.toLowerCase())) return date
    return values.get(name) ?? whole
  })
}

/** `{{name}}`, with any characters but braces and line ends in it. */
const variable = /\{\{([^{}\n]{1,64})\}\}/g
/** Names that fill themselves. */
const own: ReadonlySet<string> = new Set(['date'])
