import { app, globalShortcut, powerMonitor, powerSaveBlocker } from 'electron'
import type { PageCommand } from '../../shared/bridge/events.ts'
import type { Log } from '../deps.ts'
import type { Language } from '../hosting/language.ts'
import {
  comesForward,
  recordCommand,
  recordShortcut,
  traySigns,
} from '../hosting/recording-signs.ts'
import type { MainWindow } from './main-window.ts'
import type { QuickWindowHost } from './quick-window.ts'
import { openTray } from './tray.ts'

/** Tray, shortcut and power, as they follow a recording. */
export interface RecordingSigns {
  /** Something is recorded now, or not any more. */
  live(live: boolean): void
  speak(language: Language): void
}

/** Shows recordings outside the window, takes commands there, and keeps computer and page awake while one runs. */
export function setupRecording(
  window: MainWindow,
  quick: Pick<QuickWindowHost, 'show'>,
  language: Language,
  log: Log,
): RecordingSigns {
  const state = { live: false, language, blocker: -1 }
  const push = (command: PageCommand): void =>
    window.push({ channel: 'app', event: { type: 'page.command', command } })
  const ask = (command: PageCommand): void => {
    if (comesForward(command)) window.focus()
    // The page may ask for the computer's sound only in answer to its user: this click or key was one.
    void window.current()?.webContents.executeJavaScript('0', true)
    push(command)
  }
  const showTray = openTray({ ask, show: () => window.focus(), quick: () => quick.show() })
  const show = (): void => showTray(traySigns(state.live, state.language), state.live)
  show()
  if (!globalShortcut.register(recordShortcut, () => ask(recordCommand(state.live))))
    log.warn('the shortcut for recording is taken by another app')
  app.on('will-quit', () => globalShortcut.unregisterAll())
  powerMonitor.on('resume', () => push('record-awake'))
  return {
    live(live) {
      if (live === state.live) return
      state.live = live
      if (live) state.blocker = powerSaveBlocker.start('prevent-app-suspension')
      else powerSaveBlocker.stop(state.blocker)
      window.current()?.webContents.setBackgroundThrottling(!live)
      show()
    },
    speak(next) {
      state.language = next
      show()
    },
  }
}
