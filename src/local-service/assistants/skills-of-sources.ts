import { engineNames } from '../../shared/provider/engine-names.ts'
import { fillSentence } from '../../shared/provider/sentences.ts'
import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { libraryPassages } from './answer.ts'
import { attachmentPassages } from './attachments.ts'
import { quoteAnswer, type Quote, type QuotePassage } from './quote.ts'
import type { Ask, Skill, SkillAnswer, ToolCall } from './skill.ts'

const retrievalCall = (quotes: readonly Quote[]): ToolCall => ({
  type: 'retrieval',
  retrieval: {
    outputs: quotes.map(({ text, source, page, moment }) => ({
      text,
      document: source,
      ...(page !== null && { page }),
      ...(moment && { meeting_id: moment.meetingId, seconds: moment.seconds }),
    })),
  },
})

/** Answers by quoting only these passages. */
export async function quoteGiven(
  ask: Ask,
  passages: readonly QuotePassage[],
): Promise<SkillAnswer> {
  const { question, context, signal, language } = ask
  const answer = await quoteAnswer({
    question,
    passages,
    text: context.text,
    signal,
    language,
    cites: true,
  })
  return {
    text: answer.text,
    toolCalls: [retrievalCall(answer.quotes)],
    engine: fillSentence(engineNames.quotesAttached, { engine: context.text.name }),
    notice: answer.notice,
  }
}

/** Answers by quoting the Library and the attachments. */
export const quoteEverything: Skill = async (ask) =>
  quoteGiven(ask, [
    ...attachmentPassages(ask.attachments),
    ...(await libraryPassages(ask.context, ask.question)),
  ])

const beforehand = {
  web: {
    en: engineNotices.libraryForWeb,
    zh: '本机不支持联网搜索，我只查看了你的资料库。',
  },
  fiction: {
    en: engineNotices.draftsForFiction,
    zh: '本机不支持写小说，我只查找了你自己的草稿。',
  },
  code: {
    en: engineNotices.notesForCode,
    zh: '本机不支持编程，我只查找了你自己的笔记。',
  },
} as const

/** Quotes, after a sentence about the requested action that is not possible. */
export const instead =
  (what: keyof typeof beforehand): Skill =>
  async (ask) => {
    const answer = await quoteEverything(ask)
    const sentence = beforehand[what]
    return {
      ...answer,
      text: `${sentence[ask.language]}\n\n${answer.text}`,
      notice: `${sentence.en} ${answer.notice}`,
    }
  }

const noAttachment = {
  en: 'Attach the paper as a PDF, text file, or image, and I’ll quote from it.',
  zh: '请附上论文（PDF、文本或图片）：我会阅读并引用附件内容。',
} as const

/** Answers by quoting only the attachments. */
export const readPapers: Skill = async (ask) => {
  const passages = attachmentPassages(ask.attachments)
  if (passages.length > 0) return quoteGiven(ask, passages)
  const notice = engineNotices.nothingAttached
  return { text: noAttachment[ask.language], toolCalls: [], engine: engineNames.none, notice }
}
