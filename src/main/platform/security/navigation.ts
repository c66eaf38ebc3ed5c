import { checkExternalUrl, type ExternalUrl } from './external-url.ts'
import { appPage } from './origins.ts'

/** Whether the window may navigate to a URL: the app's only document, with any hash. */
export function mayNavigate(url: string): boolean {
  return url === appPage || url.startsWith(`${appPage}#`)
}

/** Denies every new window; a link that passes the check is offered to the system's browser. */
export function windowOpen(url: string): { readonly action: 'deny'; readonly link: ExternalUrl } {
  return { action: 'deny', link: checkExternalUrl(url) }
}

/** Events of any web contents that are always answered with `preventDefault`. */
export const preventedEvents = [
  'will-attach-webview',
  'select-bluetooth-device',
  'select-client-certificate',
  'login',
] as const

/** Events of any web contents whose target is checked by {@link mayNavigate}. */
export const checkedEvents = ['will-navigate', 'will-frame-navigate', 'will-redirect'] as const
