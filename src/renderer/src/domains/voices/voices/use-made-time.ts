import { useTranslation } from '../../../i18n/use-translation.ts'

/**
 * Formats the creation time of a voice: the provider sends "2026-11-22 13:19:25" without a time zone; other values stay
 * unchanged.
 */
export function useMadeTime() {
  const { dateTime } = useTranslation()
  return (written: string): string => {
    const [, date = '', time = ''] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/.exec(written) ?? []
    const at = Date.parse(`${date}T${time}`)
    return Number.isNaN(at) ? written : dateTime(at)
  }
}
