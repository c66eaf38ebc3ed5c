import type { AnswerLanguage } from './language.ts'

/** Sentences around the quotes of an answer. */
export interface QuoteWords {
  readonly found: string
  readonly nothingFits: string
  readonly nothingThere: string
  readonly noModel: string
  quote(text: string, source: string, page: number | null): string
  reasoning(passages: number, sentences: number, quotes: number, byMeaning: boolean): string
}

/** The sentences in each answer language. */
export const quoteWords: Readonly<Record<AnswerLanguage, QuoteWords>> = {
  en: {
    found: 'This is what your own material says:',
    nothingFits: 'I found nothing in your material that answers this.',
    nothingThere: 'There’s no material to answer this from.',
    noModel: 'There’s no on-device language model, so I only quote what I find.',
    quote: (text, source, page) => `- “${text}” (${source}${page === null ? '' : `, p. ${page}`})`,
    reasoning: (passages, sentences, quotes, byMeaning) =>
      `Chunks searched: ${passages}. Sentences ranked by ${byMeaning ? 'meaning and keywords' : 'keywords'}: ${sentences}. Sentences quoted: ${quotes}.`,
  },
  zh: {
    found: '你的资料中这样写道：',
    nothingFits: '我查看了你的资料，没有找到能回答这个问题的内容。',
    nothingThere: '我没有找到可以用来回答这个问题的资料。',
    noModel: '本机没有语言模型，我只引用找到的内容，不会自己撰写。',
    quote: (text, source, page) =>
      `- “${text}”（${source}${page === null ? '' : `，第 ${page} 页`}）`,
    reasoning: (passages, sentences, quotes, byMeaning) =>
      `查看了 ${passages} 段资料、${sentences} 个句子，按${byMeaning ? '语义和共同词语' : '共同词语'}排序，保留 ${quotes} 句。`,
  },
}
