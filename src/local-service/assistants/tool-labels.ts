import { engineNotices } from '../../shared/service/engine-notices.ts'
import { fillSentence } from '../../shared/service/sentences.ts'
import type { AnswerLanguage } from './language.ts'

/** Sentences around the results of tools. */
export interface ToolLabels {
  readonly calculated: string
  readonly noSum: string
  readonly writeOutline: string
  readonly everything: string
  readonly drawn: string
  readonly image: string
  readonly sorted: string
  readonly corrected: string
  readonly noErrors: string
  readonly onlyCertain: string
  unread(name: string, reason: string): string
  translation(from: string, to: string): string
}

/** The sentences in each answer language. */
export const toolLabels: Readonly<Record<AnswerLanguage, ToolLabels>> = {
  en: {
    calculated: 'I only calculated this. There’s no on-device language model to draw conclusions.',
    noSum: 'no result. The formula is incomplete or divides by zero.',
    writeOutline:
      'Write an outline with one entry per line, and indent or number the entries below another. There’s no on-device language model to write one for you.',
    everything: 'All',
    drawn: 'This is your outline as you wrote it. I added nothing.',
    image:
      'This is a simple image of your text. There’s no on-device image model to draw what it describes.',
    sorted:
      'These are your own sentences, sorted. There’s no on-device language model to rewrite them.',
    corrected: 'Corrected:',
    noErrors: 'I found no errors.',
    onlyCertain:
      'I only check basic rules: repeated words, a and an, I, its, capitals, and periods.',
    unread: (name, reason) => `I couldn’t read “${name}”: ${reason}`,
    translation: (from, to) => fillSentence(engineNotices.noTranslation, { from, to }),
  },
  zh: {
    calculated: '以上由计算器得出。我没有语言模型，不作进一步分析。',
    noSum: '没有结果：算式不完整，或除以零。',
    writeOutline: '请写出提纲：每行一项，下级内容缩进或加序号。我没有语言模型，不会自己编写提纲。',
    everything: '全部',
    drawn: '这就是你写的提纲，我没有添加任何内容。',
    image: '这是一张写有你的文字的简单图片。我没有图像模型，画不出文字描述的内容。',
    sorted: '这些都是你自己的句子，只做了归类。我没有语言模型，没有改写。',
    corrected: '修改后：',
    noErrors: '没有发现错误。',
    onlyCertain: '我只检查少数确定的规则：重复的词、a 与 an、大写 I、its、句首大写和句号。',
    unread: (name, reason) => `无法读取“${name}”：${reason}`,
    translation: (from, to) => `本机没有语言模型，无法从 ${from} 翻译到 ${to}。`,
  },
}
