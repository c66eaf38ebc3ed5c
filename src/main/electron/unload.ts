import type { BrowserWindow } from 'electron'
import type { App } from '../host.ts'
import { recordingQuestion } from '../host-support/dialogs.ts'
import { stopLimits, within } from '../host-support/stopping.ts'
import { ask } from './confirm-dialog.ts'
import { spokenLanguage } from './language.ts'

/** Asks before a page that is recording is closed or reloaded, and lets it send its remaining audio first. */
export function guardUnload(window: BrowserWindow, lectern: Pick<App, 'stopRecording'>): void {
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
