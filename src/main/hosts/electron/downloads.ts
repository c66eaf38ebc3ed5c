import { session } from 'electron'
import { downloadedMedia } from '../../platform/security/request-filter.ts'
import { pushTo } from './transport.ts'

/**
 * Electron saves nothing itself: a download of media, for example from a player's own menu, is passed to the page and
 * saved like any file.
 */
export function setupDownloads(): void {
  session.defaultSession.on('will-download', (event, item, contents) => {
    event.preventDefault()
    const media = downloadedMedia(item.getURL())
    if (media === null) return
    pushTo(contents, {
      channel: 'app',
      event: { type: 'page.save', media, name: item.getFilename() },
    })
  })
}
