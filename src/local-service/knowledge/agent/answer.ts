import type { Quote } from '../../assistants/quote.ts'
import type { SlicePart } from '../../../shared/knowledge/slicing/types.ts'
import type { AgentLabels } from './agent-labels.ts'

/** Quote with the position of its sentence in the document. */
export interface PlacedQuote extends Quote {
  readonly document: string
  readonly place: Omit<SlicePart, 'at'>
}

/** Result for one question of the message. */
export interface PartOutcome {
  readonly question: string
  /** The sources are slice numbers. */
  readonly quotes: readonly PlacedQuote[]
  readonly queries: readonly string[]
}

function sourceOf({ document, place }: PlacedQuote, { page, line }: AgentLabels): string {
  if (place.page !== null) return `${document}, ${page(place.page)}`
  return place.line === null ? document : `${document}, ${line(place.line)}`
}

/** Returns the answer: quotes with citations and sources, and a plain notice if nothing matches. */
export function answerText(parts: readonly PartOutcome[], words: AgentLabels): string {
  const several = parts.length > 1
  const paragraphs = parts.flatMap(({ question, quotes, queries }) => {
    if (quotes.length === 0) return [words.nothing(question, queries)]
    const lines = quotes.map(
      (quote) =>
        `> ${quote.text}<reference data-ref="${quote.source}"></reference>\n>\n> — ${sourceOf(quote, words)}`,
    )
    return [...(several ? [`**${question}**`] : [words.found]), ...lines]
  })
  return [...paragraphs, words.noModel].join('\n\n')
}

/** Splits an answer into stream chunks, never inside a citation or a character. */
export const answerFragments = (answer: string): readonly string[] =>
  answer.match(/<reference[^>]*><\/reference>|[^<]{1,24}(?=\s|<|$)|[^<]{1,24}|</gu) ?? []
