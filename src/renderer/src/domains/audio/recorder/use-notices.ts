import { inject } from 'vue'
import { i18nKey } from '../../../i18n/key.ts'
import { useToasts } from '../../../kit/toasts.ts'
import { isInView, useSystemNotice } from '../../../lib/system-notice.ts'

/** Notices about the current recording for a user who does not see its page. */
type Notice =
  | 'zeros'
  | 'silent'
  | 'bothSilent'
  | 'lost'
  | 'endedAtOnce'
  | 'countdown'
  | 'overload'
  | 'full'
  | 'endedElsewhere'
  | 'slept'

/** Notices with their own text; the others use the text of the warning in the page. */
const own: ReadonlySet<Notice> = new Set(['countdown', 'full', 'endedElsewhere', 'slept'])

export type ShowNotice = (notice: Notice, values?: Readonly<Record<string, string>>) => void

/**
 * Shows notices about a recording: as a toast in the page, and as a system notification where the page is not visible: through
 * the host, else by the browser where that is allowed. `recordingId` is the recording that a click opens.
 */
export function useNotices(recordingId: () => string | null): ShowNotice {
  const i18n = inject(i18nKey, null)
  const toasts = useToasts()
  const show = useSystemNotice()
  return (notice, values = {}) => {
    const key = own.has(notice) ? `capture.notices.${notice}` : `capture.${notice}`
    toasts.show(key, { values })
    if (isInView()) return
    const words = (name: string): string => i18n?.global.t(name, values) ?? name
    void show({
      id: `capture-${notice}`,
      title: words('capture.notices.title'),
      body: words(key).slice(0, 300),
      recordingId: recordingId(),
      about: 'page',
    })
  }
}
