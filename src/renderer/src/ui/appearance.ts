import { tokenSheet } from './theme.ts'

/** The user's choice of theme. */
export type ThemeChoice = 'system' | 'light' | 'dark'
/** The user's choice of language. */
export type LanguageChoice = 'system' | 'en' | 'zh-CN'
/** A language the app speaks. */
export type Language = 'en' | 'zh-CN'

/** What the first frame needs before main has answered. */
export interface Appearance {
  readonly theme: ThemeChoice
  readonly language: LanguageChoice
}

const storageKey = 'lectern.appearance'
const systemChoice: Appearance = { theme: 'system', language: 'system' }

/** The last known choice, so that the first frame is right before main answers; the system's when there is none. */
export function rememberedAppearance(): Appearance {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    if (typeof value !== 'object' || value === null) return systemChoice
    const { theme, language } = value as Partial<Appearance>
    return {
      theme: theme === 'light' || theme === 'dark' ? theme : 'system',
      language: language === 'en' || language === 'zh-CN' ? language : 'system',
    }
  } catch {
    return systemChoice
  }
}

/** Keeps the choice for the next start. A browser that refuses storage only loses a correct first frame. */
export function rememberAppearance(appearance: Appearance): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(appearance))
  } catch {
    // Refused by the browser: nothing is lost but the head start.
  }
}

/** The language meant by a choice: for `system`, Chinese where the system's first language is, else English. */
export function languageOf(choice: LanguageChoice, system: string): Language {
  if (choice !== 'system') return choice
  return /^zh\b/i.test(system) ? 'zh-CN' : 'en'
}

/** Puts the tokens into the document; called once, before the first frame. */
export function installTokens(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(tokenSheet())
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

/** Shows a theme; the tokens follow the root's attribute. */
export function showTheme(theme: ThemeChoice): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Forgets the remembered choice: part of erasing everything. */
export function forgetAppearance(): void {
  try {
    localStorage.removeItem(storageKey)
  } catch {
    // Storage is refused: there was nothing in it.
  }
}
