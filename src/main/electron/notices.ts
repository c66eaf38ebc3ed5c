import { Notification } from 'electron'
import type { HostDeps } from '../host.ts'

/** Shows notices by the system; a click opens what one is about. */
export function createNotices(
  open: (recordingId: string | null) => void,
): NonNullable<HostDeps['notify']> {
  /** Held while they are shown: one that is collected tells of no click. */
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
