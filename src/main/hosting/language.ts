/** Languages Lectern speaks. */
export type Language = 'en' | 'zh-CN'

/** The language of menus and dialogs: the setting, or the system's when it says so. */
export function languageOf(setting: 'system' | Language, locale: string): Language {
  if (setting !== 'system') return setting
  return /^zh\b/i.test(locale) ? 'zh-CN' : 'en'
}
