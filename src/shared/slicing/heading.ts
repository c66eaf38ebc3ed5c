/**
 * Level and words of a heading of signs (`## Words ##`); undefined for any other line. Read by hand: patterns for words that may end
 * in spaces and signs take the cube of a line that is made for it.
 */
export function headingOf(
  line: string,
): { readonly level: number; readonly text: string } | undefined {
  const signs = /^\s{0,3}(#{1,6})(?=\s)/.exec(line)
  if (!signs) return undefined
  const words = line.slice(signs[0].length).trim()
  let end = words.length
  while (words.charAt(end - 1) === '#') end -= 1
  return { level: signs[1]?.length ?? 1, text: words.slice(0, end).trimEnd() }
}
