import { app } from 'electron'
import { checkedEvents, mayNavigate, preventedEvents, windowOpen } from '../security/navigation.ts'
import { webRtcPolicy } from '../security/window-options.ts'
import { offerContextMenu } from './context-menu.ts'
import { offerLink } from './shell.ts'

/** An event of web contents that can be prevented. */
interface Refusable {
  preventDefault(): void
  readonly url?: string
}

/** Locks down all web contents: no navigation, no new windows, no embedded ones. */
export function setupContents(): void {
  app.on('web-contents-created', (_event, contents) => {
    const emitter: NodeJS.EventEmitter = contents
    for (const name of preventedEvents) {
      emitter.on(name, (event: Refusable) => event.preventDefault())
    }
    for (const name of checkedEvents) {
      emitter.on(name, (event: Refusable) => {
        if (!mayNavigate(event.url ?? '')) event.preventDefault()
      })
    }
    contents.setWindowOpenHandler(({ url }) => {
      const { action, link } = windowOpen(url)
      void offerLink(link)
      return { action }
    })
    contents.setWebRTCIPHandlingPolicy(webRtcPolicy)
    contents.on('context-menu', (_opened, params) => offerContextMenu(contents, params))
  })
}
