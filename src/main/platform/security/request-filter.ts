import { appOrigin, mediaOrigin, originOf } from './origins.ts'

/**
 * Whether the page's session may load a URL: the app's two hosts and what the page created itself. Only main has network
 * access.
 */
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

/** Media name of a downloaded URL, which is then saved as any file (`files.save`); null for every other URL. */
export function downloadedMedia(url: string): string | null {
  return originOf(url) === mediaOrigin ? new URL(url).pathname.slice(1) : null
}
