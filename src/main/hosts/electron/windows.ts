import { app, autoUpdater, type BaseWindow, type BrowserWindow } from 'electron'
import type { AppEvent } from '../../../shared/contract/events.ts'
import type { PushedEvent } from '../../../shared/contract/transport.ts'
import type { Clock, Log } from '../../deps.ts'
import { createCrashPolicy } from '../support/crash.ts'
import { recordingQuestion, unresponsiveQuestion } from '../support/dialogs.ts'
import type { Marks } from '../support/startup-marks.ts'
import { stopLimits, within } from '../support/stopping.ts'
import {
  createPlaceSaver,
  readWindows,
  writeWindows,
  type WindowState,
} from '../support/window-state.ts'
import type { App } from '../../host.ts'
import { appOrigin, errorPagePath } from '../../platform/security/origins.ts'
import { ask } from './confirm-dialog.ts'
import type { ElectronCore } from './core.ts'
import type { ElectronDeps } from './deps.ts'
import { spokenLanguage } from './language.ts'
import { serveWindow } from './transport.ts'
import { createWindow, loadPage, stateOf } from './window.ts'

/** The windows that show the whole app: as many as the user opened, or none. */
export interface AppWindows {
  /** Brings the last used window to the front; opens one when there is none. */
  focus(): void
  /** Opens another one next to the last used one. */
  open(): void
  /** All windows, last used first: that is the focused one while Lectern has the focus. */
  all(): readonly BrowserWindow[]
  /** Returns the last used window; null when there is none. */
  current(): BrowserWindow | null
  /** Pushes an event to the page of this window, otherwise of the last used one, if there is one. */
  push(event: PushedEvent, to?: BaseWindow | null): void
  /**
   * Brings that window to the front and sends the event to its page as soon as it listens; opens one when there is none.
   */
  deliver(event: AppEvent, to?: BaseWindow | null): void
  /** Whether a window is or was open; false while only the tray shows that Lectern is running. */
  wasOpened(): boolean
  /** Calls the listener when the last window was closed. */
  onLastClosed(listener: () => void): void
  /** Saves the open windows when the app quits, so that they open again at the next start. */
  leave(): void
}

/** An open window. */
interface OpenWindow {
  readonly window: BrowserWindow
  push(event: PushedEvent): void
  /** Queued events for a page that does not listen yet; null once it does. */
  waiting: PushedEvent[] | null
  /** Route at which its page opens. */
  readonly route: string
}

/**
 * Opens the windows that were open when the app ended, or one, with everything that belongs to them, and later ones on
 * request.
 */
export function openWindows(
  lectern: ElectronCore,
  deps: ElectronDeps,
  marks: Marks,
  /** Started by the system: only the tray is shown until a window is requested. */
  isHidden = false,
): AppWindows {
  /** Last used first. */
  let windows: readonly OpenWindow[] = []
  const emptied = new Set<() => void>()
  let wasOpened = false
  let leaving = false
  const places = createPlaceSaver(() => {
    // The last closed window is saved, too.
    if (!leaving && windows.length > 0)
      writeWindows(
        deps.home,
        windows.map(({ window, route }) => stateOf(window, route)),
      )
  })
  const leave = (): void => {
    places.now()
    leaving = true
  }
  app.on('before-quit', places.now)
  // macOS closes all windows before it replaces the program.
  autoUpdater.on('before-quit-for-update', leave)

  const use = (one: OpenWindow): void => {
    windows = [one, ...windows.filter((each) => each !== one)]
  }
  const open = (left: WindowState | null, inBackground = false): OpenWindow => {
    const fresh = createWindow(deps, {
      adjacent: windows[0]?.window ?? null,
      left,
      inBackground,
      onPlace: places.later,
    })
    const onPage = (): void => {
      const late = one.waiting ?? []
      one.waiting = null
      for (const event of late) one.push(event)
    }
    const one: OpenWindow = {
      window: fresh,
      push: serveWindow(fresh, { app: lectern, ids: deps.ids, clock: deps.clock, onPage }),
      waiting: [],
      // While the app runs, a closed window reopens at its position, but at the page that the router chooses.
      route: wasOpened ? '' : (left?.route ?? ''),
    }
    use(one)
    places.later()
    fresh.on('focus', () => use(one))
    fresh.webContents.on('did-navigate', () => (one.waiting ??= []))
    watchWindow(fresh, deps.clock, deps.log)
    guardUnload(fresh, lectern)
    fresh.on('close', places.now)
    fresh.once('closed', () => {
      windows = windows.filter((each) => each !== one)
      places.now()
      if (windows.length === 0) for (const listener of emptied) listener()
    })
    fresh.once('show', () => marks.mark('shown'))
    fresh.webContents.once('did-finish-load', () => {
      marks.mark('page')
      deps.log.info('startup times', marks.all())
    })
    void loadPage(fresh, one.route)
    marks.mark('window')
    return one
  }
  /** Opens the windows that were open when the app ended: the last used one on top and with the focus. */
  const openAll = (): OpenWindow => {
    const left = readWindows(deps.home)
    const others = left.slice(1).toReversed()
    const behind = others.map((each) => open(each, true))
    const first = open(left[0] ?? null)
    // A maximized window takes the focus whenever its page is drawn.
    for (const { window } of behind)
      window.once('show', () => {
        if (first.window.isVisible()) first.window.focus()
      })
    wasOpened = true
    return first
  }
  const openOne = (): OpenWindow => {
    if (!wasOpened) return openAll()
    return open(windows.length > 0 ? null : (readWindows(deps.home)[0] ?? null))
  }
  const find = (to: BaseWindow | null | undefined): OpenWindow | undefined =>
    windows.find(({ window }) => window === to) ?? windows[0]
  const bring = (to?: BaseWindow | null): OpenWindow => {
    const one = find(to)
    if (!one) return openOne()
    use(one)
    if (one.window.isMinimized()) one.window.restore()
    one.window.focus()
    return one
  }
  if (!isHidden) openAll()
  return {
    focus: () => void bring(),
    open: () => void openOne(),
    all: () => windows.map(({ window }) => window),
    current: () => windows[0]?.window ?? null,
    push: (event, to) => find(to)?.push(event),
    deliver(event, to) {
      const one = bring(to)
      const pushed: PushedEvent = { channel: 'app', event }
      if (one.waiting) one.waiting.push(pushed)
      else one.push(pushed)
    },
    wasOpened: () => wasOpened,
    onLastClosed: (listener) => void emptied.add(listener),
    leave,
  }
}

/** Asks before a page that is recording is closed or reloaded, and lets it send its remaining audio first. */
function guardUnload(window: BrowserWindow, lectern: Pick<App, 'stopRecording'>): void {
  let closing = false
  let confirming = false
  let confirmed = false
  const confirm = async (action: 'close' | 'reload'): Promise<void> => {
    confirming = true
    const yes = await ask(recordingQuestion(action, spokenLanguage()), {
      safe: true,
      parent: window,
    })
    if (yes) await within(stopLimits.recording, lectern.stopRecording())
    confirming = false
    if (!yes || window.isDestroyed()) return
    // A page that could not end its recording in time is not asked again.
    confirmed = true
    if (action === 'close') window.close()
    else window.webContents.reload()
  }
  // A window calls its page's unload handler after this event, and only if no listener prevented it.
  window.on('close', () => (closing = true))
  window.webContents.on('will-prevent-unload', (event) => {
    const action = closing ? 'close' : 'reload'
    closing = false
    if (confirmed) event.preventDefault()
    else if (!confirming) void confirm(action)
  })
  window.webContents.on('did-navigate', () => (confirmed = false))
}

/** Recovers a window whose page crashed: reloads once, then shows the page without scripts. */
function watchWindow(window: BrowserWindow, clock: Clock, log: Log): void {
  const crashPolicy = createCrashPolicy(clock)
  const steps = {
    nothing: () => {},
    reload: () => void loadPage(window),
    'error-page': () => void window.loadURL(appOrigin + errorPagePath).catch(() => {}),
  }
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    const step = crashPolicy(reason)
    log.error('page process gone', { reason, exitCode, step })
    steps[step]()
  })
  let answered: AbortController | null = null
  window.on('unresponsive', () => {
    if (answered) return
    log.warn('page is not responding')
    const { signal } = (answered = new AbortController())
    const question = unresponsiveQuestion(spokenLanguage())
    void ask(question, { safe: true, parent: window, signal }).then((isMeant) => {
      answered = null
      // Its process does not respond either: it is killed, which restores the page.
      if (isMeant && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer()
    })
  })
  // The page responds again, so the dialog is no longer needed.
  window.on('responsive', () => answered?.abort())
}
