import { inject, watch } from 'vue'
import { i18nKey } from '../../i18n/key.ts'
import { setLanguage } from '../../i18n/index.ts'
import { languageOf, showTheme } from '../../ui/appearance.ts'
import { useSettings } from '../settings/store.ts'

/** Keeps theme and language of the page as the settings say. */
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
