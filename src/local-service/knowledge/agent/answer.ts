import type { Quote } from '../../assistants/quote.ts'
import type { ReferencedSlice } from '../told-slice.ts'
import type { AgentWords } from './words.ts'

/** What became of one question of the message. */
export interface PartOutcome {
  readonly question: string
  /** The sources are the numbers of the slices. */
  readonly quotes: readonly Quote[]
  readonly queries: readonly string[]
}

function sourceOf(
  slice: Pick<ReferencedSlice, 'metadata'> | undefined,
  { page, line }: AgentWords,
): string {
  if (!slice) return ''
  const { doc_name, position, line: at } = slice.metadata
  const place = position ? page(position.page) : at === null ? '' : line(at)
  return place ? `${doc_name}, ${place}` : doc_name
}

/** The answer: quotes with their reference marks and sources, and honest words where nothing fits. */
export function answerText(
  parts: readonly PartOutcome[],
  slices: readonly ReferencedSlice[],
  words: AgentWords,
): string {
  const several = parts.length > 1
  const paragraphs = parts.flatMap(({ question, quotes, queries }) => {
    if (quotes.length === 0) return [words.nothing(question, queries)]
    const lines = quotes.map(({ text, source }) => {
      const slice = slices.find(({ ref }) => String(ref) === source)
      return `> ${text}<reference data-ref="${source}"></reference>\n>\n> — ${sourceOf(slice, words)}`
    })
    return [...(several ? [`**${question}**`] : [words.found]), ...lines]
  })
  return [...paragraphs, words.noModel].join('\n\n')
}

/** An answer in pieces as a stream brings them: never inside a mark or a character. */
export const answerPieces = (answer: string): readonly string[] =>
  answer.match(/<reference[^>]*><\/reference>|[^<]{1,24}(?=\s|<|$)|[^<]{1,24}|</gu) ?? []
