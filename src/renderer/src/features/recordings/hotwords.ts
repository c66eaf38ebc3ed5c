/** Words as typed or pasted, cut at commas, semicolons, the Chinese enumeration comma and line ends. */
export function splitHotwords(text: string): string[] {
  return text
    .split(/[,;，；、\n\r\t]+/)
    .map((word) => word.trim())
    .filter((word) => word !== '')
}

/** A list with new words at its end; a word that is there already is not taken twice. */
export function addHotwords(words: readonly string[], text: string): string[] {
  return [...new Set([...words, ...splitHotwords(text)])]
}
