import { app } from 'electron'
import type { HostDeps } from '../host.ts'
import { createIds } from '../hosting/ids.ts'
import { openLogFile } from '../hosting/log-file.ts'
import { placesOf } from '../hosting/places.ts'
import { version } from '../hosting/version.ts'
import { createKeyring } from '../secrets/keyring.ts'
import { judgeExternalUrl } from '../security/external-url.ts'
import { mediaOrigin } from '../security/origins.ts'
import { createLog, createRedactor } from '../security/redact.ts'
import { devTools } from '../security/window-options.ts'
import { archiveDialogs } from './archive-dialogs.ts'
import { systemProxy } from './proxy.ts'
import { offerLink } from './shell.ts'
import { background } from './window.ts'

/** What this host gives to the app, and what its own windows need beside. */
export interface ElectronDeps extends HostDeps {
  readonly preload: string
  readonly devTools: boolean
}

/** Gathers it; `entryUrl` is the address of the built entry file, which everything else lies beside. */
export function electronDeps(home: string, entryUrl: string): ElectronDeps {
  const clock = Date.now
  const redactor = createRedactor()
  const log = createLog({ write: openLogFile(home), redactor, clock })
  return {
    ...placesOf(entryUrl, app.isPackaged ? process.resourcesPath : undefined),
    host: 'electron',
    home,
    version,
    platform: process.platform,
    mediaBase: `${mediaOrigin}/`,
    keychain: createKeyring({ platform: process.platform }),
    log,
    redactor,
    proxyFor: systemProxy,
    archiveDialogs,
    openExternal: (url) => offerLink(judgeExternalUrl(url)),
    clock,
    ids: createIds(clock),
    background,
    devTools: app.isPackaged ? devTools.packaged : devTools.unpackaged,
  }
}
