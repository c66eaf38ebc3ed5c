/**
 * Returns level and text of an ATX heading (`## Words ##`); undefined for any other line. Parsed by hand: patterns for text
 * that may end in spaces and number signs take cubic time on a malicious line.
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
