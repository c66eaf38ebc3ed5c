import type { Pages } from '../platform/bridge/events.ts'
import type { App, HostDeps } from '../host.ts'
import type { NetworkChoices } from '../domains/settings/service/network/network.ts'
import { sqliteVersion } from '../platform/database/open-file.ts'
import { libraryChecks } from './library.ts'
import { openScratch } from './temporary-folder.ts'
import { createSelfTest, type SelfTest } from './self-test.ts'
import { systemChecks } from './system.ts'
import type { Updates } from '../updates/updates.ts'
import { updatesCheck } from './updates.ts'
import { workersCheck } from './workers.ts'

/** Dependencies of the complete self-test: those of the host, and a function that builds an app. */
export interface AllSelfTestDeps {
  readonly host: HostDeps
  readonly createApp: (deps: HostDeps) => Promise<App>
  readonly network: Pick<NetworkChoices, 'proxyFor'>
  readonly pages: Pick<Pages, 'emit'>
  readonly updates: Pick<Updates, 'state' | 'check'>
}

/** Creates the self-test with all its checks; nothing runs before it is started. */
export function createAllSelfTest({
  host,
  createApp,
  network,
  pages,
  updates,
}: AllSelfTestDeps): SelfTest {
  return createSelfTest({
    core: {
      ...systemChecks({
        ...host,
        proxyFor: network.proxyFor,
        versions: process.versions,
        sqliteVersion,
      }),
      ...libraryChecks(host),
      workers: workersCheck(host),
      updates: updatesCheck(updates),
    },
    hostCheck: host.hostCheck,
    openScratch: () => openScratch(host, createApp),
    ask: (ask) => pages.emit({ type: 'self-test.ask', ask }),
    onChange: (run) => pages.emit({ type: 'self-test.changed', run }),
    app: host,
    ids: host.ids,
    now: () => performance.now(),
  })
}
