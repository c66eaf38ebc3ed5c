import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that holds package.json. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** An absolute path from parts below {@link root}. */
export const at = (/** @type {string[]} */ ...parts) => join(root, ...parts)

/** Where the scripts remember what they did: gone with node_modules, never part of a package. */
export const stampFolder = at('node_modules', '.cache', 'lectern')
