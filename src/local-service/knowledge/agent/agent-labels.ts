import { engineNotices } from '../../../shared/provider/engine-notices.ts'
import type { AnswerLanguage } from '../../assistants/language.ts'

/** The agent's own texts around its quotes. */
export interface AgentLabels {
  readonly found: string
  nothing(question: string, queries: readonly string[]): string
  page(page: number): string
  line(line: number): string
  thoughtRewrite(keywords: readonly string[], followsUp: boolean): string
  thoughtSearch(query: string): string
  thoughtFits(passages: number): string
  readonly thoughtRetry: string
  readonly thoughtGiveUp: string
  readonly thoughtImage: string
  readonly emptyImage: string
}

export const agentLabels: Readonly<Record<AnswerLanguage, AgentLabels>> = {
  en: {
    found: 'These sentences answer the question best:',
    nothing: (question, queries) =>
      `Nothing in the selected knowledge bases answers “${question}”. Searched for: ${queries.map((query) => `“${query}”`).join(', ')}.`,
    page: (page) => `p. ${page}`,
    line: (line) => `line ${line}`,
    thoughtRewrite: (keywords, followsUp) =>
      `${followsUp ? 'This question continues the previous one. ' : ''}Keywords: ${keywords.join(', ') || 'none'}.\n`,
    thoughtSearch: (query) => `Searching the knowledge bases for “${query}”.\n`,
    thoughtFits: (passages) =>
      `${passages === 1 ? 'One sentence answers' : `${passages} sentences answer`} the question.\n`,
    thoughtRetry: 'The results don’t answer the question well. Trying other words.\n',
    thoughtGiveUp: 'There are no other words to try.\n',
    thoughtImage: 'Reading the text in the image first.\n',
    emptyImage: engineNotices.imageEmpty,
  },
  zh: {
    found: '以下是最能回答这个问题的原文：',
    nothing: (question, queries) =>
      `所选知识库中没有能回答“${question}”的内容。已搜索：${queries.map((query) => `“${query}”`).join('、')}。`,
    page: (page) => `第 ${page} 页`,
    line: (line) => `第 ${line} 行`,
    thoughtRewrite: (keywords, followsUp) =>
      `${followsUp ? '这个问题承接上一个问题。' : ''}关键词：${keywords.join('、') || '无'}。\n`,
    thoughtSearch: (query) => `在知识库中搜索“${query}”。\n`,
    thoughtFits: (passages) => `有 ${passages} 句原文能回答，停止搜索。\n`,
    thoughtRetry: '找到的内容不足以回答，换一种说法再搜索。\n',
    thoughtGiveUp: '没有其他说法可以尝试了。\n',
    thoughtImage: '先识别图片中的文字。\n',
    emptyImage: '问题的图片中没有识别到文字。',
  },
}
