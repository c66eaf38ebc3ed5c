import { inject, watch } from 'vue'
import { i18nKey } from '../i18n/key.ts'
import { setLanguage } from '../i18n/index.ts'
import { languageOf, showTheme } from '../kit/appearance.ts'
import { useSettings } from '../lib/settings-store.ts'

/** Applies the theme and language of the settings to the page. */
export function useAppearance(): void {
  const store = useSettings()
  const i18n = inject(i18nKey)
  watch(
    () => [store.settings?.theme, store.settings?.language] as const,
    ([theme, language]) => {
      if (!theme || !language) return
      showTheme(theme)
      if (i18n) void setLanguage(i18n, languageOf(language, navigator.language))
    },
  )
}
