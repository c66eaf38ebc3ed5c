import { inject } from 'vue'
import { useClient } from '../../api/use-client.ts'
import { i18nKey } from '../../i18n/key.ts'
import { useToasts } from '../../ui/toasts.ts'

/** What is said about a running recording to somebody who looks elsewhere. */
export type Notice =
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

/** Notices with a text of their own; the others read like the warning in the page. */
const own: ReadonlySet<Notice> = new Set(['countdown', 'full', 'endedElsewhere', 'slept'])

/** Says it. */
export type ShowNotice = (notice: Notice, values?: Readonly<Record<string, string>>) => void

/**
 * Says things about a recording: as a toast in the page, and by the system where the page is not seen: through the host,
 * else by the browser where that is allowed. `recordingId` names the recording that a click leads to.
 */
export function useNotices(recordingId: () => string | null): ShowNotice {
  const client = useClient()
  const i18n = inject(i18nKey, null)
  const toasts = useToasts()
  const notify = async (id: string, title: string, body: string): Promise<void> => {
    const notice = { id, title, body, recordingId: recordingId() }
    const reply = await client.request('app.notify', notice)
    if (reply.ok && reply.data.shown) return
    if (!('Notification' in window) || Notification.permission !== 'granted') return
    const shown = new Notification(title, { body, tag: id })
    shown.addEventListener('click', () => window.focus())
  }
  return (notice, values = {}) => {
    const key = own.has(notice) ? `capture.notices.${notice}` : `capture.${notice}`
    toasts.show(key, { values })
    if (document.visibilityState === 'visible' && document.hasFocus()) return
    const words = (name: string): string => i18n?.global.t(name, values) ?? name
    void notify(`capture-${notice}`, words('capture.notices.title'), words(key).slice(0, 300))
  }
}
