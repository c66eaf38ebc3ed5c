import type { RequestOf } from '../../../shared/contract/routes.ts'
import { useClient } from './bridge/use-client.ts'

/** A notice with the meeting that a click opens; one with the same ID replaces it. */
type SystemNotice = RequestOf<'app.notify'>

/** Whether the user sees the page. */
export const isInView = (): boolean => document.visibilityState === 'visible' && document.hasFocus()

/** Returns a function that shows a notification of the system: through the host, else by the browser where that is allowed. */
export function useSystemNotice(): (notice: SystemNotice) => Promise<void> {
  const client = useClient()
  return async (notice) => {
    const { id, title, body } = notice
    const reply = await client.request('app.notify', notice)
    if (reply.ok && reply.data.shown) return
    if (!('Notification' in window) || Notification.permission !== 'granted') return
    const shown = new Notification(title, { body, tag: id })
    shown.addEventListener('click', () => window.focus())
  }
}
