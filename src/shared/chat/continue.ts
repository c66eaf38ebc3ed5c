/** What asks for the rest of an answer, by the language of the answer: the service has no other way of going on. */
const instructions = {
  en: 'Please go on exactly where your last answer stopped, without repeating what you have already written.',
  zh: '请从你上一个回答中断的地方接着写，不要重复已经写过的内容。',
} as const

/** Characters whose language is looked at: the last ones before it stopped. */
const examinedChars = 4000

/** Chinese when Han characters stand for at least half of the words, else English. */
export function wordsLanguage(text: string): 'en' | 'zh' {
  const end = text.slice(-examinedChars)
  const han = end.match(/\p{Script=Han}/gu)?.length ?? 0
  const words = end.match(/\p{Script=Latin}+/gu)?.length ?? 0
  // A Chinese word has two characters, more or less.
  return han > 0 && han / 2 >= words ? 'zh' : 'en'
}

/** The question that asks for the rest of an answer, in the language of that answer. */
export const continuation = (answer: string): string => instructions[wordsLanguage(answer)]

/** True for a question that only asks for the rest of an answer: pages show it small. It has no attachments. */
export const isContinuation = (question: {
  readonly text: string
  readonly attachments: readonly unknown[]
}): boolean =>
  question.attachments.length === 0 &&
  (question.text === instructions.en || question.text === instructions.zh)
