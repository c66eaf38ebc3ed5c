import type { ElectronCore } from '../../../../src/main/hosts/electron/core.ts'
import type { ElectronDeps } from '../../../../src/main/hosts/electron/deps.ts'
import type { App } from '../../../../src/main/host.ts'
import { memoryLog } from '../../platform/database/fixture.ts'

/** Dependencies of windows of the Electron host, in a test's own folder. */
export function createTestDeps(home: string): ElectronDeps {
  let ids = 0
  return {
    services: {
      host: 'electron',
      home,
      version: '0.0.0',
      platform: process.platform,
      rendererDir: home,
      modelsDir: home,
      mediaBase: 'app://media/',
      proxyFor: async () => null,
      openExternal: async () => false,
    },
    quitReports: { shuttingDown: () => {}, quitAnswered: () => {} },
    home,
    core: '/main/core.js',
    log: memoryLog(),
    clock: () => 0,
    ids: () => `id-${(ids += 1)}`,
    preload: '/preload/index.cjs',
    icon: '/icon.png',
    devTools: false,
  }
}

/** Wraps an app in a core that opens no ports. */
export const coreOver = (app: App): ElectronCore => ({
  ...app,
  openPage: () => {
    throw new Error('no page asks for a port')
  },
  onChange: () => () => {},
  kill: () => {},
})
