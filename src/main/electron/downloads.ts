import { session } from 'electron'
import { downloadedMedia } from '../security/request-filter.ts'
import { pushTo } from './transport.ts'

/** The engine saves nothing itself: a download of media, as a player's own menu begins one, goes to the page and is saved as any file. */
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
