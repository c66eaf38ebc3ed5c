import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '../../../system/system-code.ts'

/**
 * Returns the size in bytes of all files below a folder; 0 if it does not exist. Files that disappear meanwhile are not
 * counted.
 */
export async function treeBytes(folder: string): Promise<number> {
  try {
    const entries = await readdir(folder, { withFileTypes: true, recursive: true })
    const files = entries.filter((entry) => entry.isFile())
    const sizes = await Promise.all(files.map((file) => sizeOf(join(file.parentPath, file.name))))
    return sizes.reduce((sum, size) => sum + size, 0)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0
    throw error
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return 0
    throw error
  }
}
