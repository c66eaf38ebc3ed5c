import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkerUrl } from '../deps.ts'

/** Where the parts of this installation lie. */
export interface Places {
  /** The built page. */
  readonly rendererDir: string
  /** The models that came along. */
  readonly modelsDir: string
  readonly preload: string
  /** The app's icon, 512 pixels square. */
  readonly icon: string
  readonly workerUrl: WorkerUrl
}

/**
 * Finds everything from the host's entry file (`out/main/index.js`, `out/loopback/index.js`): the page and the preload
 * lie beside it, workers below it. Models are beside the app's archive in a packaged app (`resourcesPath`), and in the
 * project's `resources` otherwise.
 */
export function placesOf(entryUrl: string, resourcesPath?: string): Places {
  const file = (path: string): string => fileURLToPath(new URL(path, entryUrl))
  return {
    rendererDir: file('../renderer'),
    icon:
      resourcesPath === undefined
        ? file('../../resources/icon-512.png')
        : join(resourcesPath, 'icon.png'),
    preload: file('../preload/index.cjs'),
    modelsDir:
      resourcesPath === undefined ? file('../../resources/models') : join(resourcesPath, 'models'),
    workerUrl: (name) => new URL(`./workers/${name}.js`, entryUrl),
  }
}
