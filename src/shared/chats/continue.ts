/**
 * Prompt that requests the rest of an answer, by the language of the answer: the provider has no other method to
 * continue.
 */
const instructions = {
  en: 'Please go on exactly where your last answer stopped, without repeating what you have already written.',
  zh: '请从你上一个回答中断的地方接着写，不要重复已经写过的内容。',
} as const

/** Number of last characters whose language is detected. */
const examinedChars = 4000

/** Returns Chinese if Han characters make up at least half of the words, otherwise English. */
export function wordsLanguage(text: string): 'en' | 'zh' {
  const end = text.slice(-examinedChars)
  const han = end.match(/\p{Script=Han}/gu)?.length ?? 0
  const words = end.match(/\p{Script=Latin}+/gu)?.length ?? 0
  // A Chinese word has about two characters.
  return han > 0 && han / 2 >= words ? 'zh' : 'en'
}

/** Returns the question that requests the rest of an answer, in the language of that answer. */
export const continuation = (answer: string): string => instructions[wordsLanguage(answer)]

/**
 * Returns true for a question that only requests the rest of an answer, which pages show small. It has no attachments.
 */
export const isContinuation = (question: {
  readonly text: string
  readonly attachments: readonly unknown[]
}): boolean =>
  question.attachments.length === 0 &&
  (question.text === instructions.en || question.text === instructions.zh)
