import { BrowserWindow, webContents, type IpcMainEvent, type WebContents } from 'electron'
import { channels, type PushedEvent } from '../../shared/bridge/transport.ts'
import type { Clock, Ids } from '../deps.ts'
import { appOrigin, appPage } from '../security/origins.ts'
import { trustedSender } from '../security/sender.ts'
import type { ElectronCore } from './core.ts'

/**
 * Gives each page of a window its own port to the core, when the page's preload asks for one. Returns the way to push to
 * the page from here.
 */
export function serveWindow(
  window: BrowserWindow,
  deps: {
    readonly app: ElectronCore
    readonly ids: Ids
    readonly clock: Clock
    /** The page shows its first frame: from now on it listens. */
    onPage?(): void
  },
): (event: PushedEvent) => void {
  const { app, ids } = deps
  const { webContents: contents } = window
  const known = new Set([contents.id])
  /** The page that is shown has its port. */
  let connected = false

  const trusted = ({ senderFrame: frame, sender }: IpcMainEvent): boolean =>
    trustedSender({ frame, contentsId: sender.id }, known, appOrigin, appPage)

  contents.ipc.on(channels.connect, (event) => {
    // A page that was refused (it was not committed yet, say) asks again; one that has its port asks once too often.
    if (connected || !trusted(event)) return
    connected = true
    event.senderFrame?.postMessage(channels.port, null, [app.openPage(`${contents.id}-${ids()}`)])
  })
  contents.ipc.on(channels.ready, (event) => {
    if (trusted(event)) deps.onPage?.()
  })
  // The port went with the page before: the core sees it close and drops what that page had asked for.
  contents.on('did-navigate', () => (connected = false))

  const stop = app.onChange((change) => {
    if (contents.isDestroyed()) return
    connected = false
    contents.send(change === 'lost' ? channels.lost : channels.back)
  })
  contents.once('destroyed', stop)
  return (event) => pushTo(contents, event)
}

/** The window of a connection that {@link serveWindow} made; undefined once it is closed. */
export function windowOf(connectionId: string): BrowserWindow | undefined {
  const contentsId = /^(\d+)-/.exec(connectionId)?.[1]
  const contents = contentsId === undefined ? null : webContents.fromId(Number(contentsId))
  return contents ? (BrowserWindow.fromWebContents(contents) ?? undefined) : undefined
}

/** Hands an event to the page of these contents; one that is gone misses it. */
export function pushTo(contents: WebContents, event: PushedEvent): void {
  if (!contents.isDestroyed()) contents.send(channels.push, event)
}
