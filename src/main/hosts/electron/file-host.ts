import { join } from 'node:path'
import { app, dialog, nativeImage, shell, type BrowserWindow, type NativeImage } from 'electron'
import { importable } from '../../../shared/importable.ts'
import type { FileHost, TrustHost } from '../../host.ts'
import { readCertificateFile } from '../support/certificate-file.ts'
import { importFilters, trustQuestion } from '../support/dialogs.ts'
import { rememberSaveFolder, saveFolder } from '../support/save-folders.ts'
import { ask } from './confirm-dialog.ts'
import { spokenLanguage } from './language.ts'
import { windowOf } from './window.ts'

/** The system's dialogs, file manager and drags. Folders chosen by the user are remembered in `home`. */
export function createFileHost(home: string): FileHost {
  return {
    async saveDialog({ suggestedName, extension, use }, connectionId) {
      const folder = saveFolder(home, use, app.getPath('downloads'))
      const options = {
        defaultPath: join(folder, suggestedName),
        filters: filters([extension]),
        properties: ['createDirectory' as const, 'showOverwriteConfirmation' as const],
      }
      const window = windowOf(connectionId)
      const { canceled, filePath } = await (window
        ? dialog.showSaveDialog(window, options)
        : dialog.showSaveDialog(options))
      return canceled || filePath === '' ? null : filePath
    },
    async rememberFolder(path, use) {
      rememberSaveFolder(home, use, path)
    },
    async openDialog(extensions, connectionId) {
      const options = { filters: filters(extensions), properties: ['openFile' as const] }
      const window = windowOf(connectionId)
      const { canceled, filePaths } = await (window
        ? dialog.showOpenDialog(window, options)
        : dialog.showOpenDialog(options))
      return canceled ? null : (filePaths[0] ?? null)
    },
    async showInFolder(path) {
      shell.showItemInFolder(path)
    },
    async startDrag(path, connectionId) {
      const icon = await iconOf(path)
      // Looked up last: the window may have been closed in the meantime.
      windowOf(connectionId)?.webContents.startDrag({ file: path, icon })
    },
  }
}

/** Asks in system dialogs, which no page can see or answer. Enter means no. */
export function createTrustHost(home: string, files: Pick<FileHost, 'openDialog'>): TrustHost {
  return {
    confirm: (question, connectionId) =>
      ask(trustQuestion(question, spokenLanguage()), {
        safe: true,
        parent: windowOf(connectionId) ?? null,
      }),
    async chooseCertificates(connectionId) {
      const path = await files.openDialog(['pem', 'crt', 'cer', 'der'], connectionId)
      return path === null ? null : readCertificateFile(path, home)
    },
  }
}

/**
 * Lets the user choose files to import, above a window if there is one; empty when they choose none. A menu command is
 * not a user gesture in the page, and Chromium opens a page's file dialog only after one.
 */
export async function chooseImports(window: BrowserWindow | null): Promise<readonly string[]> {
  const names = importFilters(spokenLanguage())
  const options: Electron.OpenDialogOptions = {
    filters: [
      { name: names.all, extensions: Object.values(importable).flat() },
      { name: names.audio, extensions: [...importable.audio] },
      { name: names.documents, extensions: [...importable.document, ...importable.image] },
    ],
    properties: ['openFile', 'multiSelections'],
  }
  const { canceled, filePaths } = await (window
    ? dialog.showOpenDialog(window, options)
    : dialog.showOpenDialog(options))
  return canceled ? [] : filePaths
}

const filters = (extensions: readonly string[]): Electron.FileFilter[] => [
  { name: extensions.map((each) => each.toUpperCase()).join(', '), extensions: [...extensions] },
]

/** Returns the system's icon for the file, or a gray square: macOS rejects a drag without an image. */
async function iconOf(path: string): Promise<NativeImage> {
  const icon = await app.getFileIcon(path).catch(() => null)
  if (icon && !icon.isEmpty()) return icon
  const square = { width: 32, height: 32 }
  return nativeImage.createFromBitmap(Buffer.alloc(32 * 32 * 4, 0x80), square)
}
