import { join, dirname, isAbsolute } from 'node:path'
import { app, dialog, nativeImage, shell, type BrowserWindow, type NativeImage } from 'electron'
import { importable } from '../../../shared/importable.ts'
import type { FileHost, TrustHost, FileUse } from '../../host.ts'
import { readCertificateFile } from '../support/certificate-file.ts'
import { importFilters, trustQuestion } from '../support/dialogs.ts'
import { ask } from './confirm-dialog.ts'
import { spokenLanguage } from './language.ts'
import { windowOf } from './window.ts'
import { readFileSync, statSync } from 'node:fs'
import { writePrivateFile } from '../../platform/security/private-files.ts'

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
      {
        name: names.documents,
        extensions: [...importable.document, ...importable.text, ...importable.image],
      },
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

const fileName = 'save-folders.json'

/** Returns the folder last used to save a file of this use; `fallback` if there is none or it no longer exists. */
function saveFolder(home: string, use: FileUse, fallback: string): string {
  const folder = read(home)[use]
  return folder !== undefined && isFolder(folder) ? folder : fallback
}

/** Remembers the folder of a file that the user chose. A failed write is ignored. */
function rememberSaveFolder(home: string, use: FileUse, path: string): void {
  try {
    const folders = { ...read(home), [use]: dirname(path) }
    writePrivateFile(join(home, fileName), JSON.stringify(folders))
  } catch {
    // The next dialog opens in the downloads folder.
  }
}

function read(home: string): Readonly<Record<string, string>> {
  try {
    const found: unknown = JSON.parse(readFileSync(join(home, fileName), 'utf8'))
    if (typeof found !== 'object' || found === null) return {}
    return Object.fromEntries(
      Object.entries(found).filter(
        (entry): entry is [string, string] => typeof entry[1] === 'string' && isAbsolute(entry[1]),
      ),
    )
  } catch {
    return {}
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
