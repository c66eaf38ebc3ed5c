import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createAgents } from '../../../src/main/provider-client/agents.ts'
import { removal } from '../../../src/system/file-moves.ts'
import type { HostUpdates } from '../../../src/main/host.ts'
import { createInstaller } from '../../../src/main/updates/installer.ts'
import { createMirrorGet } from '../../../src/main/updates/transfer.ts'
import { createUpdates, type Updates, type UpdatesDeps } from '../../../src/main/updates/updates.ts'
import type { UpdateState } from '../../../src/shared/model/updates.ts'
import { releaseKey, startMirror, type Mirror, type ReleaseKey } from './mirror.ts'

/** Installation on its own disk, with two mirrors. */
export interface UpdateSetup {
  readonly home: string
  /** The running AppImage. */
  readonly program: string
  readonly key: ReleaseKey
  readonly mirrors: readonly [Mirror, Mirror]
  readonly settings: { updateChecks: boolean; updateOnQuit: boolean }
  /** Events in order. */
  readonly events: string[]
  readonly states: UpdateState[]
  /** Lines of the log. */
  readonly lines: string[]
  /** Scheduled work; the last entry is the next check. */
  readonly planned: { ms: number; work: () => void }[]
  readonly updates: Updates
  /** Ends this run and starts another one with the given version. */
  restart(version: string): Promise<Updates>
  /** Returns the names below `updates`, without state files. */
  left(): readonly string[]
  records(): Record<string, unknown>
  close(): Promise<void>
}

/** Options of a test. */
export interface SetupOptions {
  readonly over?: Partial<UpdatesDeps>
  readonly host?: (host: HostUpdates, setup: { readonly events: string[] }) => HostUpdates
}

/** Limits that no busy machine exceeds, for tests that are not about a slow or stalled mirror. */
export const patientLimits = {
  idleMs: 60_000,
  windowMs: 60_000,
  slowBytesPerSecond: 1,
  pauseMs: 5,
  reportMs: 0,
  feedMs: 60_000,
  graceMs: 200,
}

/** Limits that let a test wait milliseconds where a user waits seconds. */
export const quickLimits = {
  ...patientLimits,
  idleMs: 1500,
  windowMs: 150,
  slowBytesPerSecond: 200_000,
}

/**
 * Sets up version 0.1.0 as an AppImage, with the real electron-updater, and a restart that is only recorded.
 */
export async function updateSetup(options: SetupOptions = {}): Promise<UpdateSetup> {
  const home = mkdtempSync(join(tmpdir(), 'lectern-updates-'))
  const place = join(home, 'Applications')
  mkdirSync(place)
  const program = join(place, 'Lectern.AppImage')
  writeFileSync(program, 'version 0.1.0', { mode: 0o755 })
  // electron-updater detects an AppImage by the environment.
  process.env['APPIMAGE'] = program
  const mirrors = [await startMirror(), await startMirror()] as const
  const key = releaseKey()
  const agents = createAgents({
    proxyFor: async () => null,
    extraCa: async () => [],
    connectTimeoutMs: 30_000,
  })
  const events: string[] = []
  const states: UpdateState[] = []
  const lines: string[] = []
  const planned: { ms: number; work: () => void }[] = []
  const settings = { updateChecks: true, updateOnQuit: false }
  const note = (message: string, fields?: unknown): void =>
    void lines.push(`${message} ${JSON.stringify(fields)}`)
  const log = { info: note, warn: note, error: note }

  const begin = (version: string): Updates => {
    const installer = createInstaller({
      kind: 'appimage',
      version,
      folder: join(home, 'updates'),
      appImage: program,
      publishers: [],
      log,
    })
    const host: HostUpdates = {
      support: async () => ({ mode: 'restart' }),
      async prepare(plan) {
        events.push(`prepare ${plan.version}`)
        return installer.prepare(plan)
      },
      keepCurrent: (folder) => installer.keepCurrent(folder),
      async restart() {
        events.push('restart')
        return installer.install(true)
      },
      async installOnQuit(enabled) {
        events.push(enabled ? 'on quit' : 'not on quit')
      },
    }
    return createUpdates({
      home,
      version,
      platform: 'linux',
      arch: 'x64',
      systemVersion: '6.8.0',
      feed: () => ({
        mirrors: mirrors.map(({ url }) => url),
        publicKeys: [key.publicKey],
        downloadPage: '',
        windowsPublishers: [],
      }),
      host: options.host?.(host, { events }) ?? host,
      get: createMirrorGet(agents, 60_000),
      settings: () => settings,
      async backup() {
        events.push('backup')
        return 'library-20260101T000000000-before-update.db'
      },
      isUsableBackup: async () => true,
      clock: Date.now,
      after(ms, work) {
        planned.push({ ms, work })
        return () => {}
      },
      random: () => 0.5,
      log,
      onChange: (state) => void states.push(state),
      limits: patientLimits,
      ...options.over,
    })
  }

  const made = {
    updates: begin('0.1.0'),
  }
  await made.updates.start()
  events.length = 0
  return {
    home,
    program,
    key,
    mirrors,
    settings,
    events,
    states,
    lines,
    planned,
    get updates() {
      return made.updates
    },
    async restart(version) {
      made.updates.stop()
      made.updates = begin(version)
      await made.updates.start()
      return made.updates
    },
    left: () => filesBelow(join(home, 'updates')),
    records: () =>
      JSON.parse(readFileSync(join(home, 'updates', 'state.json'), 'utf8')) as Record<
        string,
        unknown
      >,
    async close() {
      made.updates.stop()
      await Promise.all([agents.close(), ...mirrors.map((mirror) => mirror.close())])
      await rm(home, removal)
    },
  }
}

/** Returns the files below a folder, as `folder/name` on every system. */
function filesBelow(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
      .filter((name) => !['state.json', 'app-update.yml'].includes(name))
      .toSorted()
  } catch {
    return []
  }
}
