import { readDocumentQuestions } from '../../shared/service/document-question.ts'
import { DocumentFailure } from '../../shared/slicing/types.ts'
import { readDocument } from '../knowledge/readers/index.ts'
import { languageOf } from './language.ts'
import { passagesByPage } from './attachments.ts'
import type { QuotePassage } from './quote.ts'
import type { Ask, SkillAnswer } from './skill.ts'
import { quoteGiven } from './skills-of-sources.ts'

/** Answers a question that includes its documents by quoting their sentences, with page numbers. Null for any other question. */
export async function answerDocument(ask: Ask): Promise<SkillAnswer | null> {
  const given = readDocumentQuestions(ask.question)
  if (!given) return null
  const { documents, question } = given
  const passages: QuotePassage[] = []
  for (const { title, text } of documents) {
    const bytes = new TextEncoder().encode(text)
    const document = { name: `${title}.md`, kind: 'markdown' as const, bytes }
    const options = { images: false, signal: ask.signal }
    try {
      const read = await readDocument(document, ask.context.pages, options)
      passages.push(...passagesByPage(title, read.passages))
    } catch (error) {
      // A document without text contributes nothing.
      if (!(error instanceof DocumentFailure)) throw error
    }
  }
  return quoteGiven({ ...ask, question, language: languageOf(question) }, passages)
}
