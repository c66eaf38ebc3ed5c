/**
 * Returns the names of variables that the user must fill in, in order, each once; automatic ones are left out.
 */
export function openNames(text: string): readonly string[] {
  const names = [...text.matchAll(variable)].map((match) => (match[1] ?? '').trim())
  return [...new Set(names)].filter((name) => !own.has(name.toLowerCase()))
}

/**
 * Returns the prompt with its variables filled in; `date` is today in the user's format. A variable without a value is
 * left as it is.
 */
export function filled(text: string, values: ReadonlyMap<string, string>, date: string): string {
  return text.replaceAll(variable, (whole, raw: string) => {
    const name = raw.trim()
    if (own.has(name.toLowerCase())) return date
    return values.get(name) ?? whole
  })
}

/** `{{name}}`, with any characters except braces and line ends in the name. */
const variable = /\{\{([^{}\n]{1,64})\}\}/g
/** Variables that are filled in automatically. */
const own: ReadonlySet<string> = new Set(['date'])
