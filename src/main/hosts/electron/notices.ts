import { Notification } from 'electron'
import type { HostDeps } from '../../host.ts'

/** Shows system notifications; a click opens the recording that one is about. */
export function createNotices(
  open: (recordingId: string | null) => void,
): NonNullable<HostDeps['notify']> {
  /** Retains notifications while they are shown: a garbage-collected one reports no click. */
  const shown = new Map<string, Notification>()
  return async ({ id, title, body, recordingId }) => {
    if (!Notification.isSupported()) return false
    shown.get(id)?.close()
    const notice = new Notification({ id, title, body })
    const forget = (): void => {
      if (shown.get(id) === notice) shown.delete(id)
    }
    notice.on('click', () => {
      forget()
      open(recordingId)
    })
    notice.on('close', forget)
    notice.on('failed', forget)
    shown.set(id, notice)
    notice.show()
    return true
  }
}
