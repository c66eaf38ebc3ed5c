import type { ServiceContext } from '../context.ts'
import { quoteAnswer, type QuotedAnswer, type QuotePassage } from './quote.ts'

/** Maximum number of Library passages considered for one answer. */
const maxPassages = 6

/** Returns passages of the Library for a question; none if there is no Library. */
export async function libraryPassages(
  context: Pick<ServiceContext, 'library'>,
  question: string,
): Promise<readonly QuotePassage[]> {
  const found = (await context.library?.(question, maxPassages)) ?? []
  return found.map(({ itemId, title, text, page = null, times }) => ({
    source: title,
    text,
    page,
    ...(times && { meeting: { id: itemId, times } }),
  }))
}

/** Answers a question by quoting the Library and the attachments. Rejects when the signal aborts. */
export async function answerFromLibrary(
  context: Pick<ServiceContext, 'library' | 'text'>,
  question: string,
  signal: AbortSignal,
  others: readonly QuotePassage[] = [],
): Promise<QuotedAnswer> {
  const passages = [...others, ...(await libraryPassages(context, question))]
  return quoteAnswer({ question, passages, text: context.text, signal })
}
