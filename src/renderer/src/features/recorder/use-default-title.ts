import { inject } from 'vue'
import { i18nKey } from '../../i18n/key.ts'

/** Default title of a recording: its local date and time, with the year, since recordings are stored for years. */
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
