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

/** The media name behind a download's address, which is then saved as any file (`files.save`); null for every other address. */
export function downloadedMedia(url: string): string | null {
  return originOf(url) === mediaOrigin ? new URL(url).pathname.slice(1) : null
}
