/** Splits typed or pasted terms at commas, semicolons, the Chinese enumeration comma and line ends. */
function splitHotwords(text: string): string[] {
  return text
    .split(/[,;，；、\n\r\t]+/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

/** Appends new terms to a list, without duplicates. */
export function addHotwords(words: readonly string[], text: string): string[] {
  return [...new Set([...words, ...splitHotwords(text)])]
}
