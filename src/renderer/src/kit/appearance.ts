import { tokenSheet } from './theme.ts'

/** The user's choice of theme. */
export type ThemeChoice = 'system' | 'light' | 'dark'
/** The user's choice of language. */
export type LanguageChoice = 'system' | 'en' | 'zh-CN'
/** A supported language. */
export type Language = 'en' | 'zh-CN'

/** Data for the first frame, before main has responded. */
export interface Appearance {
  readonly theme: ThemeChoice
  readonly language: LanguageChoice
}

/** The choice that main wrote to the document's root, so that the first frame is right before any response. */
export function servedAppearance(root: HTMLElement): Appearance {
  const { theme, language } = root.dataset
  return {
    theme: theme === 'light' || theme === 'dark' ? theme : 'system',
    language: language === 'en' || language === 'zh-CN' ? language : 'system',
  }
}

/** Resolves a language choice: for `system`, Chinese if that is the system's first language, else English. */
export function languageOf(choice: LanguageChoice, system: string): Language {
  if (choice !== 'system') return choice
  return /^zh\b/i.test(system) ? 'zh-CN' : 'en'
}

/** Adds the tokens to the document; called once, before the first frame. */
export function installTokens(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(tokenSheet())
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

/** Applies a theme; the tokens follow the root's attribute. */
export function showTheme(theme: ThemeChoice): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
