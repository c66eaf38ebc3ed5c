import type { Quote } from '../../assistants/quote.ts'
import type { SlicePart } from '../../../shared/slicing/types.ts'
import type { AgentLabels } from './agent-labels.ts'

/** A quote with where its sentence stands in the document. */
export interface PlacedQuote extends Quote {
  readonly document: string
  readonly place: Omit<SlicePart, 'at'>
}

/** What became of one question of the message. */
export interface PartOutcome {
  readonly question: string
  /** The sources are the numbers of the slices. */
  readonly quotes: readonly PlacedQuote[]
  readonly queries: readonly string[]
}

function sourceOf({ document, place }: PlacedQuote, { page, line }: AgentLabels): string {
  if (place.page !== null) return `${document}, ${page(place.page)}`
  return place.line === null ? document : `${document}, ${line(place.line)}`
}

/** The answer: quotes with their reference marks and sources, and honest words where nothing fits. */
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

/** An answer in pieces as a stream brings them: never inside a mark or a character. */
export const answerFragments = (answer: string): readonly string[] =>
  answer.match(/<reference[^>]*><\/reference>|[^<]{1,24}(?=\s|<|$)|[^<]{1,24}|</gu) ?? []
