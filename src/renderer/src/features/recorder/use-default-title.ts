import { inject } from 'vue'
import { i18nKey } from '../../i18n/key.ts'

/** What a recording is called that was given no name: its day and time where the reader is, with the year, since it is kept for years. */
export function useDefaultTitle(): (at: number) => string | undefined {
  const i18n = inject(i18nKey, null)
  return (at) => {
    if (!i18n) return undefined
    const { t, locale } = i18n.global
    const time = new Date(at).toLocaleString(locale.value, {
      dateStyle: 'medium',
      timeStyle: 'short',
    })
    return t('capture.namedByTime', { time })
  }
}
