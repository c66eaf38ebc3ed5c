import { appOrigin, mediaOrigin, originOf } from './origins.ts'

/** Whether the page's session may load this: our own two hosts, and what the page made itself. Main alone has a network. */
export function mayLoad(url: string, devToolsAllowed: boolean): boolean {
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(url)?.[0].toLowerCase()
  switch (scheme) {
    case 'app:': {
      const origin = originOf(url)
      return origin === appOrigin || origin === mediaOrigin
    }
    case 'blob:':
      return url.startsWith(`blob:${appOrigin}/`)
    case 'data:':
      return true
    case 'devtools:':
      return devToolsAllowed
    default:
      return false
  }
}

/** Whether a download may be saved: what the page made for an export, and media. The user chooses where. */
export function mayDownload(url: string): boolean {
  return url.startsWith(`blob:${appOrigin}/`) || url.startsWith(`${mediaOrigin}/`)
}
