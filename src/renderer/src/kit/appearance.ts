import type { Settings } from '../../../shared/contract/settings.ts'
import type { LanguageChoice } from '../../../shared/language.ts'
import { tokenSheet } from './theme.ts'

/** The user's choice of theme. */
export type ThemeChoice = Settings['theme']

/** Data for the first frame, before main has responded. */
interface Appearance {
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

/** Adds the tokens to the document; called once, before the first frame. */
export function installTokens(): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(tokenSheet())
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

/** Event of the window after the size of text changed: texts wrap differently, though no element has another width. */
export const textSizeEvent = 'lectern:text-size'

/** Applies a size to transcripts, documents and answers, whose style sheets use it. */
export function showTextSize(size: Settings['textSize']): void {
  document.documentElement.dataset['textSize'] = size
  window.dispatchEvent(new Event(textSizeEvent))
}

/** Applies a theme; the tokens follow the root's attribute. */
export function showTheme(theme: ThemeChoice): void {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}
