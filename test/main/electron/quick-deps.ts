import type { ElectronDeps } from '../../../src/main/electron/deps.ts'
import { createRedactor } from '../../../src/main/security/redact.ts'
import { createMemoryKeychain } from '../../../src/main/secrets/memory.ts'
import { memoryLog, workerUrl } from '../store/fixture.ts'

/** What windows of the Electron host are built from, in a test's own folder. */
export function createTestDeps(home: string): ElectronDeps {
  let ids = 0
  return {
    host: 'electron',
    home,
    version: '0.0.0',
    platform: process.platform,
    rendererDir: home,
    modelsDir: home,
    mediaBase: 'app://media/',
    keychain: createMemoryKeychain(),
    log: memoryLog(),
    redactor: createRedactor(),
    workerUrl,
    proxyFor: async () => null,
    openExternal: async () => false,
    clock: () => 0,
    ids: () => `id-${(ids += 1)}`,
    background: () => 'light',
    preload: '/preload/index.cjs',
    devTools: false,
  }
}
