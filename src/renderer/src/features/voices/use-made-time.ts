import { useTranslation } from '../../i18n/use-translation.ts'

/** When a voice was made, in the reader's form: the service writes "2026-11-22 13:19:25" and names no zone; what is no such time stays as it came. */
export function useMadeTime() {
  const { dateTime } = useTranslation()
  return (written: string): string => {
    const [, date = '', time = ''] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/.exec(written) ?? []
    const at = Date.parse(`${date}T${time}`)
    return Number.isNaN(at) ? written : dateTime(at)
  }
}
