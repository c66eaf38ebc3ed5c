/** The languages answers are written in. */
export type AnswerLanguage = 'en' | 'zh'

/** The language to answer in: Chinese for a text with more Han characters than a few among Latin words, else English. */
export function languageOf(text: string): AnswerLanguage {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  const words = text.match(/\p{Script=Latin}+/gu)?.length ?? 0
  return han > 0 && han >= words ? 'zh' : 'en'
}
