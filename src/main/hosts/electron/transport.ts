import type { BrowserWindow, IpcMainEvent, WebContents } from 'electron'
import { channels, type PushedEvent } from '../../../shared/contract/transport.ts'
import type { Clock, Ids } from '../../deps.ts'
import { appOrigin, appPage } from '../../platform/security/origins.ts'
import { trustedSender } from '../../platform/security/sender.ts'
import type { ElectronCore } from './core.ts'

/**
 * Provides each page of a window with its own port to the core, when the page's preload requests one. Returns a function
 * that pushes events to the page from here.
 */
export function serveWindow(
  window: BrowserWindow,
  deps: {
    readonly app: ElectronCore
    readonly ids: Ids
    readonly clock: Clock
    /** Called at the first frame of the page, which listens from now on. */
    onPage?(): void
  },
): (event: PushedEvent) => void {
  const { app, ids } = deps
  const { webContents: contents } = window
  const known = new Set([contents.id])
  /** Whether the current page has its port. */
  let connected = false

  const trusted = ({ senderFrame: frame, sender }: IpcMainEvent): boolean =>
    trustedSender({ frame, contentsId: sender.id }, known, appOrigin, appPage)

  contents.ipc.on(channels.connect, (event) => {
    // A page that was rejected (for example before it was committed) requests again; one that has its port needs no
    // second.
    if (connected || !trusted(event)) return
    connected = true
    event.senderFrame?.postMessage(channels.port, null, [app.openPage(`${contents.id}-${ids()}`)])
  })
  contents.ipc.on(channels.ready, (event) => {
    if (trusted(event)) deps.onPage?.()
  })
  // The port closed with the previous page: the core notices and drops that page's requests.
  contents.on('did-navigate', () => (connected = false))

  const stop = app.onChange((change) => {
    if (contents.isDestroyed()) return
    connected = false
    contents.send(change === 'lost' ? channels.lost : channels.back)
  })
  contents.once('destroyed', stop)
  return (event) => pushTo(contents, event)
}

/** Pushes an event to the page of these contents; does nothing when they are gone. */
export function pushTo(contents: WebContents, event: PushedEvent): void {
  if (!contents.isDestroyed()) contents.send(channels.push, event)
}
