import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The project's folder. */
export const root = join(import.meta.dirname, '../../..')

/** A built file with its text. */
export interface BuiltFile {
  readonly path: string
  readonly text: string
}

/** Returns the files below a folder of out/, by their path relative to the project folder. */
export function builtFiles(folder: string): readonly BuiltFile[] {
  const place = join(root, folder)
  if (!existsSync(place)) throw new Error(`${folder} is missing: run npm run build first`)
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({
      path: relative(root, file).split('\\').join('/'),
      text: readFileSync(file, 'utf8'),
    }))
}
