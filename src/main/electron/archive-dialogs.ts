import { BrowserWindow, dialog } from 'electron'
import type { HostDeps } from '../host.ts'

const filters = [{ name: 'Lectern', extensions: ['zip'] }]

/** The system's dialogs for an archive: it is written where it is to lie, and read where it lies, without a copy on the way. */
export const archiveDialogs: NonNullable<HostDeps['archiveDialogs']> = {
  async save(name) {
    const window = BrowserWindow.getFocusedWindow()
    const options = { defaultPath: name, filters }
    const { canceled, filePath } = await (window
      ? dialog.showSaveDialog(window, options)
      : dialog.showSaveDialog(options))
    return canceled || filePath === '' ? null : filePath
  },
  async open() {
    const window = BrowserWindow.getFocusedWindow()
    const options = { filters, properties: ['openFile' as const] }
    const { canceled, filePaths } = await (window
      ? dialog.showOpenDialog(window, options)
      : dialog.showOpenDialog(options))
    return canceled ? null : (filePaths[0] ?? null)
  },
}
