import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { app, session } from 'electron'
import type { Clock, Ids, Log } from '../../deps.ts'
import { placesOf } from '../support/data-folders.ts'
import { createIds } from '../support/ids.ts'
import { openLogFile } from '../support/log-file.ts'
import { proxyFromPac } from '../support/proxy.ts'
import { version } from '../support/version.ts'
import type { HostServices } from '../../host.ts'
import { checkExternalUrl } from '../../platform/security/external-url.ts'
import { mediaOrigin } from '../../platform/security/origins.ts'
import { isPrivatePlace } from '../../platform/security/private-files.ts'
import { createLog, createRedactor } from '../../platform/security/redact.ts'
import { devTools } from '../../platform/security/window-options.ts'
import { createFileHost, createTrustHost } from './file-host.ts'
import { electronChecks } from './host-checks.ts'
import { offerLink } from './shell.ts'
import { createSystemHost } from './system.ts'
import { hostUpdates, type QuitReports } from './updates.ts'

/** What this host provides to the app, and dependencies of its own windows. */
export interface ElectronDeps {
  readonly services: HostServices
  /** Reports to the updater that the app is quitting. */
  readonly quitReports: QuitReports
  readonly home: string
  /** Path of the built core. */
  readonly core: string
  readonly preload: string
  /** Path of the app's icon. */
  readonly icon: string
  readonly devTools: boolean
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** Collects the dependencies; `entryUrl` is the URL of the built entry file, next to all other files. */
export function electronDeps(
  home: string,
  entryUrl: string,
  isRecording: () => boolean,
): ElectronDeps {
  const clock = Date.now
  // A separate file: the core writes the other one, and two processes cannot rotate one file. No API key is ever logged
  // here.
  const log = createLog({ write: openLogFile(home, 'main'), redactor: createRedactor(), clock })
  if (!isPrivatePlace(home, homedir()))
    log.warn(
      'The data folder is outside the user profile. Other users of this computer may be able to read it',
    )
  const { rendererDir, modelsDir, preload, icon } = placesOf(
    entryUrl,
    app.isPackaged ? process.resourcesPath : undefined,
  )
  const { host: updates, reports } = hostUpdates({ home, version, log, isRecording })
  const files = createFileHost(home)
  return {
    quitReports: reports,
    services: {
      host: 'electron',
      home,
      version,
      platform: process.platform,
      rendererDir,
      modelsDir,
      mediaBase: `${mediaOrigin}/`,
      proxyFor: systemProxy,
      fileHost: files,
      trust: createTrustHost(home, files),
      updates,
      hostCheck: electronChecks,
      system: createSystemHost(home),
      openExternal: (url) => offerLink(checkExternalUrl(url)),
    },
    home,
    core: fileURLToPath(new URL('./core.js', entryUrl)),
    preload,
    icon,
    devTools: app.isPackaged ? devTools.packaged : devTools.unpackaged,
    clock,
    ids: createIds(clock),
    log,
  }
}

/** Returns the system's proxy for a URL, from Chromium. */
async function systemProxy(url: string): Promise<string | null> {
  return proxyFromPac(await session.defaultSession.resolveProxy(url))
}
