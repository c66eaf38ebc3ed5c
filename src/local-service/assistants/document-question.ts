import { readDocumentQuestions } from '../../shared/service/document-question.ts'
import { readDocument } from '../knowledge/readers/index.ts'
import { languageOf } from './language.ts'
import type { QuotePassage } from './quote.ts'
import type { Ask, SkillAnswer } from './skill.ts'
import { quoteGiven } from './skills-of-sources.ts'

/** A comment that begins a page. */
const pageMark = /<!-- page (\d{1,6}) -->/g

/** The answer to a question whose documents are given with it: sentences of them, with their pages. Null for any other question. */
export async function answerDocument(ask: Ask): Promise<SkillAnswer | null> {
  const given = readDocumentQuestions(ask.question)
  if (!given) return null
  const { documents, question } = given
  const passages: QuotePassage[] = []
  for (const { title, text } of documents)
    for (const { page, words } of pagesIn(text)) {
      const bytes = new TextEncoder().encode(words)
      const document = { name: `${title}.md`, kind: 'markdown' as const, bytes }
      const options = { images: false, signal: ask.signal }
      const read = await readDocument(document, ask.context.pages, options)
      const source = page === null ? title : `${title}, ${page}`
      passages.push(...read.passages.map((passage) => ({ source, text: passage.text })))
    }
  return quoteGiven({ ...ask, question, language: languageOf(question) }, passages)
}

function pagesIn(
  text: string,
): readonly { readonly page: string | null; readonly words: string }[] {
  const marks = Array.from(text.matchAll(pageMark))
  const before = text.slice(0, marks[0]?.index ?? text.length)
  return [
    { page: null, words: before },
    ...marks.map((mark, at) => ({
      page: mark[1] ?? null,
      words: text.slice(mark.index + mark[0].length, marks[at + 1]?.index),
    })),
  ].filter(({ words }) => words.trim() !== '')
}
