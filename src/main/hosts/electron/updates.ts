import { spawn } from 'node:child_process'
import { homedir } from 'node:os'
import { app } from 'electron'
import type { Log } from '../../deps.ts'
import type { HostUpdates, InstallOutcome } from '../../host.ts'
import { installationFacts, startAfter, updateSupport } from '../support/update-support.ts'
import { buildFeed } from '../../updates/app-updates.ts'
import type { Installer, InstallerKind } from '../../updates/installer.ts'
import { updatesFolder } from '../../updates/records.ts'

const kinds: Readonly<Record<string, InstallerKind>> = { win32: 'nsis', darwin: 'mac' }

/**
 * Milliseconds for which a shutdown of the computer counts as in progress. There is no event when another program has
 * blocked it; Windows repeats `session-end` if it continues.
 */
const shutdownMs = 60_000

const recordingRuns: InstallOutcome = {
  ok: false,
  fault: 'recording',
  detail: 'A recording is in progress',
}

/** Reports about quitting the app (from `app-lifecycle.ts`). */
export interface QuitReports {
  /**
   * The computer is shutting down or the user is signing out: an installer started now would be killed halfway.
   */
  shuttingDown(): void
  /** Reports whether a request to quit is followed: the user may have continued a recording instead. */
  quitAnswered(leaves: boolean): void
}

interface HostUpdatesDeps {
  readonly home: string
  readonly version: string
  readonly log: Log
  isRecording(): boolean
}

/**
 * Installs updates with electron-updater. Files are replaced after everything has stopped, an AppImage immediately
 * before.
 */
export function hostUpdates({ home, version, log, isRecording }: HostUpdatesDeps): {
  readonly host: HostUpdates
  readonly reports: QuitReports
} {
  const kind = kinds[process.platform] ?? 'appimage'
  const appImage = process.env['APPIMAGE'] ?? null
  let made: Promise<Installer> | null = null
  /** Loaded with the first update, so that electron-updater does not slow down the start. */
  const installer = (): Promise<Installer> =>
    (made ??= import('../../updates/installer.ts').then(({ createInstaller }) =>
      createInstaller({
        kind,
        version,
        folder: updatesFolder(home),
        appImage,
        publishers: buildFeed().windowsPublishers,
        log,
      }),
    ))
  let atQuit: (() => InstallOutcome) | null = null
  let shutdownAt = -Infinity
  let answered: ((leaves: boolean) => void) | null = null
  const isShuttingDown = (): boolean => performance.now() - shutdownAt < shutdownMs
  // The last event of a process, also after `app.exit` (shell/browser/browser.cc, Browser::Exit calls Shutdown): after a crash, too.
  app.on('quit', (_event, exitCode) => {
    if (!atQuit) return
    if (exitCode !== 0 || isShuttingDown())
      return log.info('The update is postponed to the next quit', {
        exitCode,
        shutdown: isShuttingDown(),
      })
    const outcome = atQuit()
    if (!outcome.ok) log.error('The update was not installed', { ...outcome })
  })
  const host: HostUpdates = {
    async support() {
      const { platform } = process
      const program = app.isPackaged ? app.getPath('exe') : null
      return updateSupport(await installationFacts(platform, program, appImage))
    },
    prepare: async (plan) => (await installer()).prepare(plan),
    keepCurrent: async (folder) => (await installer()).keepCurrent(folder),
    async restart() {
      const { install } = await installer()
      // Nothing is awaited from here to the request to quit, so no recording can begin in between.
      if (isRecording()) return recordingRuns
      if (isShuttingDown())
        return { ok: false, fault: 'install-failed', detail: 'The computer is shutting down' }
      const leaves = new Promise<boolean>((resolve) => (answered = resolve))
      // An installer replaces files that are in use here; Squirrel closes the windows itself.
      atQuit = kind === 'nsis' ? () => install(true) : null
      const outcome: ReturnType<typeof install> = kind === 'nsis' ? { ok: true } : install(true)
      if (!outcome.ok) return outcome
      if (kind !== 'mac') app.quit()
      if (!(await leaves)) {
        atQuit = null
        return recordingRuns
      }
      if (outcome.path !== undefined) start(outcome.path)
      return { ok: true }
    },
    async installOnQuit(enabled) {
      atQuit = null
      if (!enabled) return
      const { install } = await installer()
      // On macOS the system installs an update that it has received whenever the app ends.
      if (kind !== 'mac') atQuit = () => install(false)
    },
  }
  return {
    host,
    reports: {
      shuttingDown() {
        shutdownAt = performance.now()
      },
      quitAnswered(leaves) {
        answered?.(leaves)
        answered = null
      },
    },
  }
}

function start(program: string): void {
  const { command, args, env } = startAfter(process.pid, program, process.env)
  spawn(command, args, { env, cwd: homedir(), detached: true, stdio: 'ignore' }).unref()
}
