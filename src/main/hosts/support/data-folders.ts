import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkerUrl } from '../../deps.ts'

/** Paths of the parts of this installation. */
interface Places {
  /** Folder of the built page. */
  readonly rendererDir: string
  /** Folder of the bundled models. */
  readonly modelsDir: string
  readonly preload: string
  /** The app's icon, 512 pixels square. */
  readonly icon: string
  readonly workerUrl: WorkerUrl
}

/**
 * Resolves all paths from the host's entry file (`out/main/index.js`, `out/loopback/index.js`): the page and the preload are
 * next to it, workers below it. Models are next to the app's archive in a packaged app (`resourcesPath`), otherwise in the
 * project's `resources`.
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
