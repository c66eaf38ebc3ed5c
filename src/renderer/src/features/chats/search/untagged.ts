import type { Range } from '../../../../../shared/text/locate.ts'

/** The marks of a source in an answer (spec 4.5), also where the surroundings of a hit begin or end within one. */
const tag = /<\/?reference\b[^>]*(?:>|$)|<\/?r(?:e(?:f(?:e(?:r(?:e(?:n(?:ce?)?)?)?)?)?)?)?…?$/g

/** The surroundings of a hit without the marks of sources, and the places of the hit in what is left; a mark that is hit itself stays. */
export function untagged(
  text: string,
  ranges: readonly Range[],
): { readonly text: string; readonly ranges: readonly Range[] } {
  const cut = [...text.matchAll(tag)]
    .map(({ 0: { length }, index }) => [index, index + length] as const)
    .filter(([from, to]) => !ranges.some(([start, end]) => start < to && end > from))
  if (cut.length === 0) return { text, ranges }
  const gone = (before: number): number =>
    cut.reduce((sum, [from, to]) => (to <= before ? sum + to - from : sum), 0)
  const kept = cut.reduceRight((left, [from, to]) => left.slice(0, from) + left.slice(to), text)
  return {
    text: text.endsWith('…') && !kept.endsWith('…') ? `${kept}…` : kept,
    ranges: ranges.map(([from, to]) => [from - gone(from), to - gone(to)] as const),
  }
}
