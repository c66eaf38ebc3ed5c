import { createPinia } from 'pinia'
import { createApp, type App } from 'vue'
import { createClient, type Client } from '../../src/renderer/src/lib/bridge/client.ts'
import { clientKey } from '../../src/renderer/src/lib/bridge/use-client.ts'
import type { uploadFile } from '../../src/renderer/src/lib/bridge/upload.ts'
import { createFakeTransport, type FakeTransport, type Scenario } from './fake-transport.ts'

/** An app without a page: stores and composables like in the real one, with a fake main. */
export interface RendererSetup {
  readonly main: FakeTransport
  readonly client: Client
  /** For plugins that stores do not need. */
  readonly app: App
  /** Runs a composable, or the first use of a store, inside the app. */
  run<T>(use: () => T): T
  /** Waits until all requests are answered. */
  settle(): Promise<void>
}

/** Creates the app for one test. */
export function rendererSetup(scenario: Scenario = {}, upload?: typeof uploadFile): RendererSetup {
  const main = createFakeTransport(scenario)
  const client = createClient({ open: () => Promise.resolve(main), ...(upload && { upload }) })
  const app = createApp({ render: () => null })
  app.provide(clientKey, client)
  app.use(createPinia())
  return {
    main,
    client,
    app,
    run: (use) => app.runWithContext(use),
    async settle() {
      for (let turn = 0; turn < 30; turn++) await Promise.resolve()
    },
  }
}
