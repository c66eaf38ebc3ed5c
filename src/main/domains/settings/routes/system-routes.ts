import type { SystemHost } from '../../../host.ts'
import type { Handlers } from '../../../platform/bridge/router.ts'

/**
 * Handlers of settings that the operating system controls; without a host that supports them, everything is unknown or
 * absent.
 */
export const systemHandlers = (
  host: SystemHost | undefined,
): Pick<
  Handlers,
  | 'system.microphone'
  | 'system.askMicrophone'
  | 'system.openSettings'
  | 'system.showFolder'
  | 'system.login'
  | 'system.setLogin'
  | 'system.progress'
> => ({
  'system.microphone': async () =>
    (await host?.microphone()) ?? { access: 'unknown', settings: false },
  'system.askMicrophone': async () => ({ access: (await host?.askMicrophone()) ?? 'unknown' }),
  'system.openSettings': async ({ page }) => ({
    opened: (await host?.openSettings(page)) ?? false,
  }),
  'system.showFolder': async ({ folder }) => ({
    shown: (await host?.showFolder(folder)) ?? false,
  }),
  'system.login': async () => ({ state: (await host?.login()) ?? 'absent' }),
  'system.setLogin': async ({ on }) => ({ state: (await host?.setLogin(on)) ?? 'absent' }),
  'system.progress': async ({ progress }, { connection }) => {
    await host?.progress(progress, connection.id)
    return {}
  },
})
