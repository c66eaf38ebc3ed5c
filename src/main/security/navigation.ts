import { checkExternalUrl, type ExternalUrl } from './external-url.ts'
import { appPage } from './origins.ts'

/** Whether the window may go there: the app's one document, under any hash. */
export function mayNavigate(url: string): boolean {
  return url === appPage || url.startsWith(`${appPage}#`)
}

/** What becomes of a new window: never one of ours; a link that passes the gate is offered to the system's browser. */
export function windowOpen(url: string): { readonly action: 'deny'; readonly link: ExternalUrl } {
  return { action: 'deny', link: checkExternalUrl(url) }
}

/** Events of any web contents that are answered with `preventDefault`, whoever asks. */
export const preventedEvents = [
  'will-attach-webview',
  'select-bluetooth-device',
  'select-client-certificate',
  'login',
] as const

/** Events of any web contents whose target {@link mayNavigate} judges. */
export const checkedEvents = ['will-navigate', 'will-frame-navigate', 'will-redirect'] as const
