/** Letters of a text that become its title, at most. */
const titleLength = 60

/** The title of a text that was given none: the beginning of its first line that says something, cut where a word ends. */
export function titleOf(text: string): string {
  const first = /[^\s\p{P}][^\n]*/u.exec(text)?.[0].trim() ?? ''
  if (!/[\p{L}\p{N}]/u.test(first)) return 'Speech'
  const letters = Array.from(first)
  if (letters.length <= titleLength) return first
  const short = letters.slice(0, titleLength - 1).join('')
  // Cut where a word ends; a language without spaces is cut where the room ends.
  return `${short.replace(/(?<=.{30})\s+\S*$/su, '')}…`
}
