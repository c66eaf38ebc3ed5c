import { dirname, join } from 'node:path'
import { app, MessageChannelMain, utilityProcess, type MessagePortMain } from 'electron'
import { startCore, type Core } from '../core/client.ts'
import type { HostServices } from '../../host.ts'
import { coreGone } from '../support/dialogs.ts'
import { removeRunMark } from '../support/run-mark.ts'
import { coreEnv, neededEnv } from '../../../system/own-process/env.ts'
import type { ElectronDeps } from './deps.ts'
import { showFinalMessage } from './instance.ts'

export type ElectronCore = Core<MessagePortMain>

/** Starts the app in a utility process; Electron must be ready. Rejects when the app cannot be built. */
export async function openCore(services: HostServices, deps: ElectronDeps): Promise<ElectronCore> {
  const core = await startCore<MessagePortMain>({
    services,
    fork: () =>
      utilityProcess.fork(deps.core, [], {
        serviceName: 'Lectern Core',
        env: coreEnv(process.env, deps.home),
      }),
    forkProgram: () =>
      utilityProcess.fork(join(dirname(deps.core), 'workers', 'own-process.js'), [], {
        serviceName: 'Lectern Documents',
        env: neededEnv(process.env),
        stdio: 'ignore',
      }),
    channel: () => new MessageChannelMain(),
    clock: deps.clock,
    log: deps.log,
    onGivenUp: () => void showFinalMessage(coreGone).then(() => app.quit()),
  })
  // The crash is reported now: the next start does not report it again.
  core.onChange((change) => {
    if (change === 'lost') removeRunMark(deps.home)
  })
  return core
}
