import type { BrowserWindow } from 'electron'
import { channels, type PushedEvent } from '../../shared/bridge/transport.ts'
import type { Clock, Ids } from '../deps.ts'
import type { App, PageConnection } from '../host.ts'
import { appOrigin, appPage } from '../security/origins.ts'
import { refusal, trustedSender } from '../security/sender.ts'

/** Connects a window's page to the app, over two channels of its own web contents. Returns the way to push to it. */
export function serveWindow(
  window: BrowserWindow,
  deps: { readonly app: App; readonly ids: Ids; readonly clock: Clock },
): (event: PushedEvent) => void {
  const { app, ids, clock } = deps
  const { webContents: contents } = window
  const known = new Set([contents.id])
  const push = (event: PushedEvent): void => {
    if (!contents.isDestroyed()) contents.send(channels.push, event)
  }
  const connect = (): PageConnection => {
    const fresh: PageConnection = { id: ids(), push }
    app.connect(fresh)
    return fresh
  }
  let connection = connect()

  contents.ipc.handle(channels.request, (event, route: unknown, payload: unknown) => {
    const sender = { frame: event.senderFrame, contentsId: event.sender.id }
    if (!trustedSender(sender, known, appOrigin, appPage)) return refusal(clock())
    // Asked for as text, an object of the page's making could throw.
    return app.request(connection, typeof route === 'string' ? route : '', payload)
  })
  // A page that was loaded anew knows nothing of what the old one had asked for.
  contents.on('did-navigate', () => {
    app.disconnect(connection)
    connection = connect()
  })
  contents.once('destroyed', () => app.disconnect(connection))
  return push
}
