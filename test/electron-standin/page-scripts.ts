import { readFileSync } from 'node:fs'
import { createCodec } from './page/codec.ts'
import { dressMainWorld } from './page/main-world.ts'
import { runPreload, type PreloadParts } from './page/preload.ts'
import { connectWorlds } from './page/worlds.ts'

/** Unguessable names that connect the two worlds of a page and the main process. */
export interface PageSecret {
  readonly events: string
  readonly binding: string
  readonly entry: string
}

/** Electron's name for the world of preloads (`shell/renderer/electron_render_frame_observer.cc`). */
export const isolatedWorld = 'Electron Isolated Context'

/** Script of a page's own world; runs before all scripts of the page. */
export function mainWorldScript({ events }: PageSecret): string {
  return `(${String(dressMainWorld)})(${JSON.stringify(events)}, ${String(connectWorlds)})`
}

/** Pauses until the debugger has set the path (`file-paths.ts`). */
const pathOf = `function (standinFile) { let standinPath = ''; debugger; return standinPath }`

/**
 * Script of the isolated world: Electron's part of it, then the preload's own text. Only the top frame has a preload
 * (`RendererClientBase::ShouldLoadPreload` of `shell/renderer/renderer_client_base.cc`; the windows here have no
 * `nodeIntegrationInSubFrames`).
 */
export function preloadScript(secret: PageSecret, file: string | undefined): string {
  const parts: Omit<PreloadParts, 'script' | 'pathOf'> = {
    secret: secret.events,
    binding: secret.binding,
    entry: secret.entry,
    platform: process.platform,
    versions: {
      electron: process.versions['electron'] ?? '',
      chrome: process.versions['chrome'] ?? '',
      node: process.versions.node,
    },
  }
  const script =
    file === undefined
      ? 'null'
      : `function (require, module, exports, process) {${readFileSync(file, 'utf8')}\n}`
  return `if (globalThis === globalThis.top) (${String(runPreload)})(
    { ...${JSON.stringify(parts)}, script: ${script}, pathOf: ${pathOf} },
    ${String(createCodec)}, ${String(connectWorlds)})`
}
