import { basename, join } from 'node:path'
import { fromPage } from './addresses.ts'
import type { CdpSession } from './cdp.ts'
import { reportEvent } from './control.ts'
import { ElectronEvent, StrictEmitter } from './strict.ts'
import { allContents } from './web-contents.ts'

interface Begun {
  readonly frameId: string
  readonly guid: string
  readonly url: string
  readonly suggestedFilename: string
}

/** `DownloadItem` (`shell/browser/api/electron_api_download_item.cc`). */
class DownloadItem extends StrictEmitter {
  private path = ''
  private readonly begun: Begun
  private readonly stop: () => void
  constructor(begun: Begun, stop: () => void) {
    super()
    this.begun = begun
    this.stop = stop
  }
  getURL(): string {
    return fromPage(this.begun.url)
  }
  getURLChain(): string[] {
    return [this.getURL()]
  }
  getFilename(): string {
    return this.begun.suggestedFilename
  }
  getMimeType(): string {
    return ''
  }
  getTotalBytes(): number {
    return 0
  }
  setSavePath(path: string): void {
    this.path = path
  }
  getSavePath(): string {
    return this.path
  }
  setSaveDialogOptions(_options: object): void {}
  cancel(): void {
    this.stop()
  }
}

/**
 * Passes downloads that Chromium starts to the session's `will-download` (`Session::OnDownloadCreated`). A download that
 * is not prevented would ask the user for a location: here it is reported and canceled.
 */
export async function watchDownloads(browser: CdpSession): Promise<void> {
  browser.on('Browser.downloadWillBegin', (begun: Begun) => {
    const contents = allContents().find((each) => each.targetId === begun.frameId) ?? null
    const stop = (): void =>
      browser.sendIgnoringErrors('Browser.cancelDownload', { guid: begun.guid })
    const item = new DownloadItem(begun, stop)
    const event = new ElectronEvent()
    contents?.session.emit('will-download', event, item, contents)
    const savePath = item.getSavePath()
    reportEvent('download', {
      url: item.getURL(),
      name: basename(join('/', item.getFilename())),
      refused: event.defaultPrevented,
      savePath,
    })
    if (event.defaultPrevented) stop()
  })
  // Another driver of the same browser may set the download folder; the events are sent in any case.
  await browser.send('Browser.setDownloadBehavior', { behavior: 'default', eventsEnabled: true })
}
