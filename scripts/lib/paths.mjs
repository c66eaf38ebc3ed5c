import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that contains package.json. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** An absolute path from parts below {@link root}. */
export const at = (/** @type {string[]} */ ...parts) => join(root, ...parts)

/** Folder of the scripts' saved state: deleted with node_modules, never part of a package. */
export const stampFolder = at('node_modules', '.cache', 'lectern')
