/** Codes of languages that are offered for translation; any other can be typed. */
export const languageCodes = [
  'zh',
  'en',
  'ja',
  'ko',
  'fr',
  'de',
  'es',
  'pt',
  'it',
  'ru',
  'ar',
  'hi',
  'id',
  'ms',
  'th',
  'tr',
  'vi',
] as const

/** The name of a language in the reader's; the code itself where it names none. */
export function languageName(code: string, reader: string): string {
  try {
    return new Intl.DisplayNames([reader], { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}
