/** Language codes offered for translation; any other can be typed. */
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

/** Returns the name of a language in the user's language; the code itself if it has none. */
export function languageName(code: string, reader: string): string {
  try {
    return new Intl.DisplayNames([reader], { type: 'language' }).of(code) ?? code
  } catch {
    return code
  }
}
