import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import type { FileUse } from '../../host.ts'
import { writePrivateFile } from '../../platform/security/private-files.ts'

const fileName = 'save-folders.json'

/** Returns the folder last used to save a file of this use; `fallback` if there is none or it no longer exists. */
export function saveFolder(home: string, use: FileUse, fallback: string): string {
  const folder = read(home)[use]
  return folder !== undefined && isFolder(folder) ? folder : fallback
}

/** Remembers the folder of a file that the user chose. A failed write is ignored. */
export function rememberSaveFolder(home: string, use: FileUse, path: string): void {
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
