/** Maximum number of characters of a text that become its title. */
const titleLength = 60

/** Returns the title of an untitled text: the beginning of its first line with words, cut at a word end. */
export function titleOf(text: string): string {
  const first = /[^\s\p{P}][^\n]*/u.exec(text)?.[0].trim() ?? ''
  if (!/[\p{L}\p{N}]/u.test(first)) return 'Speech'
  const letters = Array.from(first)
  if (letters.length <= titleLength) return first
  const short = letters.slice(0, titleLength - 1).join('')
  // Cuts at a word end; languages without spaces are cut at the maximum length.
  return `${short.replace(/(?<=.{30})\s+\S*$/su, '')}…`
}
