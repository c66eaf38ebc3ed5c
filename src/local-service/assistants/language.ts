export type AnswerLanguage = 'en' | 'zh'

/**
 * Returns the language to answer in: Chinese if a text has more than a few Han characters among Latin words, otherwise English.
 */
export function languageOf(text: string): AnswerLanguage {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  const words = text.match(/\p{Script=Latin}+/gu)?.length ?? 0
  return han > 0 && han >= words ? 'zh' : 'en'
}
