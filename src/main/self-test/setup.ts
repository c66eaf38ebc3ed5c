import type { Platform } from '../context.ts'
import type { NetworkChoices } from '../domains/settings/index.ts'
import type { App, HostDeps } from '../host.ts'
import { sqliteVersion } from '../platform/database/open-file.ts'
import { libraryChecks } from './library.ts'
import { openScratch } from './temporary-folder.ts'
import { createSelfTest, type SelfTest } from './self-test.ts'
import { systemChecks } from './system.ts'
import type { Updates } from '../updates/updates.ts'
import { updatesCheck } from './updates.ts'
import { workersCheck } from './workers.ts'

/** Creates the self-test with all its checks; nothing runs before it is started. */
export const setupSelfTest = (
  { emit, ...host }: Platform,
  needs: {
    readonly network: Pick<NetworkChoices, 'proxyFor'>
    readonly updates: Pick<Updates, 'state' | 'check'>
    /** Creates another app, whose library the checks use. */
    createApp(host: HostDeps): Promise<App>
  },
): SelfTest =>
  createSelfTest({
    core: {
      ...systemChecks({
        ...host,
        proxyFor: needs.network.proxyFor,
        versions: process.versions,
        sqliteVersion,
      }),
      ...libraryChecks(host),
      workers: workersCheck(host),
      updates: updatesCheck(needs.updates),
    },
    hostCheck: host.hostCheck,
    openScratch: () => openScratch(host, needs.createApp),
    ask: (ask) => emit({ type: 'self-test.ask', ask }),
    onChange: (run) => emit({ type: 'self-test.changed', run }),
    app: host,
    ids: host.ids,
    now: () => performance.now(),
  })
