import { inject } from 'vue'
import { i18nKey } from '../../i18n/key.ts'
import { useToasts } from '../../ui/toasts.ts'

/** What is said about a running recording to somebody who looks elsewhere. */
export type Notice =
  | 'zeros'
  | 'silent'
  | 'bothSilent'
  | 'lost'
  | 'countdown'
  | 'overload'
  | 'full'
  | 'endedElsewhere'
  | 'slept'

/** Says it. */
export type Say = (notice: Notice, values?: Readonly<Record<string, string>>) => void

/** Says things about a recording: as a toast in the page, and by the system where it is allowed and the page is not seen. */
export function useNotices(): Say {
  const i18n = inject(i18nKey, null)
  const toasts = useToasts()
  return (notice, values = {}) => {
    const key = `capture.notices.${notice}`
    toasts.show(key, { values })
    const seen = document.visibilityState === 'visible' && document.hasFocus()
    if (seen || !('Notification' in window) || Notification.permission !== 'granted') return
    const words = (name: string): string => i18n?.global.t(name, values) ?? name
    const shown = new Notification(words('capture.notices.title'), {
      body: words(key),
      tag: `capture-${notice}`,
    })
    shown.addEventListener('click', () => window.focus())
  }
}
