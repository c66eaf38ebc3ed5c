import { renameSync, unlinkSync } from 'node:fs'
import { chmod, constants, copyFile, mkdir, open, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import {
  AppImageUpdater,
  MacUpdater,
  NsisUpdater,
  Provider,
  type UpdateInfo,
} from 'electron-updater'
import type { AppAdapter } from 'electron-updater/out/AppAdapter.js'
import type { ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js'
import type { ResolvedUpdateFileInfo } from 'electron-updater/out/types.js'
import type { Log } from '../deps.ts'
import { removal } from '../../system/file-moves.ts'
import type { InstallOutcome, InstallPlan } from '../host.ts'
import { isPackage } from './download.ts'
import { isDiskFull, UpdateError } from './fault.ts'
import { linkOrCopy } from './installing.ts'
import { reasonOf } from './transfer.ts'

/** Type of installation: an AppImage on Linux, an NSIS installer, a signed macOS app. */
export type InstallerKind = 'appimage' | 'nsis' | 'mac'

/** Options for electron-updater. */
export interface InstallerOptions {
  readonly kind: InstallerKind
  readonly version: string
  /** Folder of updates (`records.ts`). */
  readonly folder: string
  /** Path of the running AppImage, from the environment. */
  readonly appImage: string | null
  /** Allowed publishers of a signed installer on Windows; not checked if empty. */
  readonly publishers: readonly string[]
  readonly log: Log
}

/** Installs a package that is already on this disk with electron-updater. */
export interface Installer {
  prepare(plan: InstallPlan): Promise<InstallOutcome>
  keepCurrent(folder: string): Promise<{ readonly name: string } | null>
  /**
   * Installs the prepared package. Blocks briefly; the process ends afterward. `path` is a program that the caller must start.
   */
  install(startsAfter: boolean): InstallOutcome & { readonly path?: string }
}

type Updater = AppImageUpdater | NsisUpdater | MacUpdater

/**
 * Creates an installer. Feed and download are Lectern's own (`mirrors.ts`, `download.ts`), so electron-updater gets a provider
 * that returns the signed feed, and an executor that returns the downloaded file. Its caches, checks and installers are used
 * unchanged.
 */
export function createInstaller(options: InstallerOptions): Installer {
  const { kind, appImage } = options
  let updater: Updater | null = null
  let trouble: unknown = null
  return {
    async prepare(plan) {
      try {
        updater = await createUpdater(options, plan)
        updater.on('error', (error) => (trouble = error))
        const found = await updater.checkForUpdates()
        if (!found?.isUpdateAvailable)
          throw new UpdateError(
            'install-failed',
            `${plan.version} cannot be installed over the current version`,
          )
        await updater.downloadUpdate()
        if (updater instanceof SteadyAppImageUpdater) await updater.stage(plan)
        return { ok: true }
      } catch (error) {
        updater = null
        return outcomeOf(error)
      }
    },
    async keepCurrent(folder) {
      if (kind !== 'appimage' || appImage === null) return null
      const name = basename(appImage)
      await rm(folder, removal)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await linkOrCopy(appImage, join(folder, name))
      return { name }
    },
    install(startsAfter) {
      if (!updater) return outcomeOf(new UpdateError('install-failed', 'No update was prepared'))
      trouble = null
      if (updater instanceof MacUpdater) {
        updater.autoRunAppAfterInstall = startsAfter
        updater.quitAndInstall()
        return { ok: true }
      }
      // Silent: the folder and the shortcuts stay as chosen at the first installation.
      if (!updater.install(true, startsAfter)) return outcomeOf(trouble)
      return updater instanceof SteadyAppImageUpdater
        ? { ok: true, path: updater.destination }
        : { ok: true }
    },
  }
}

async function createUpdater(options: InstallerOptions, plan: InstallPlan): Promise<Updater> {
  const { kind, folder, publishers, log } = options
  const config = join(folder, 'app-update.yml')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // JSON is YAML.
  await writeFile(
    config,
    JSON.stringify({
      updaterCacheDirName: 'installer',
      ...(publishers.length > 0 && { publisherName: publishers }),
    }),
  )
  const app: AppAdapter = {
    version: options.version,
    name: 'Lectern',
    isPackaged: true,
    appUpdateConfigPath: config,
    userDataPath: folder,
    baseCachePath: folder,
    whenReady: async () => {},
    // The host decides when the process ends.
    relaunch: () => {},
    quit: () => {},
    onQuit: () => {},
  }
  const updater =
    kind === 'mac'
      ? new MacUpdater(undefined, app)
      : kind === 'nsis'
        ? new NsisUpdater(null, app)
        : new SteadyAppImageUpdater(options.appImage ?? '', app)
  Object.assign(updater, {
    httpExecutor: { download: (_url: URL, to: string) => providePackage(plan, to) },
    // Otherwise it would generate an ID for this installation and save it; staged releases are decided elsewhere.
    stagingUserIdPromise: { value: Promise.resolve('') },
  })
  updater.isUserWithinRollout = () => true
  updater.autoDownload = false
  // Squirrel accepts an update only in this mode, and installs it when the app ends.
  updater.autoInstallOnAppQuit = kind === 'mac'
  updater.disableDifferentialDownload = true
  updater.disableWebInstaller = true
  updater.allowDowngrade = plan.isRollBack
  updater.logger = {
    info: (text) => log.info('electron-updater', { text: String(text) }),
    warn: (text) => log.warn('electron-updater', { text: String(text) }),
    error: (text) => log.warn('electron-updater', { text: String(text) }),
  }
  updater.setFeedURL({ provider: 'custom', updateProvider: providerOf(plan) })
  return updater
}

/** Replaces electron-updater's download: copies the package, checked once more, to the requested name. */
async function providePackage(plan: InstallPlan, to: string): Promise<void> {
  if (!(await isPackage(plan.path, { url: plan.name, size: plan.size, sha512: plan.sha512 })))
    throw new UpdateError('wrong-hash', `${plan.name} is no longer the signed package`)
  await linkOrCopy(plan.path, to)
}

/** Returns a provider that returns the signed feed's data; nothing is fetched. */
function providerOf({ version, name, size, sha512 }: InstallPlan) {
  const file = { url: name, size, sha512 }
  return class extends Provider<UpdateInfo> {
    constructor(_options: unknown, _updater: unknown, runtime: ProviderRuntimeOptions) {
      super(runtime)
    }
    getLatestVersion(): Promise<UpdateInfo> {
      return Promise.resolve({
        version,
        files: [file],
        path: name,
        sha512,
        releaseDate: new Date(0).toISOString(),
      })
    }
    resolveFiles(): ResolvedUpdateFileInfo[] {
      return [{ url: new URL(name, 'https://package.invalid/'), info: file }]
    }
  }
}

/**
 * Replaces the AppImage by a single rename. electron-updater deletes the old file before it moves the new one from another
 * folder: a full disk at that moment would leave no program at all. It also starts the new one while this one still has the
 * library open.
 */
class SteadyAppImageUpdater extends AppImageUpdater {
  readonly #current: string
  #staged = ''
  destination = ''

  constructor(current: string, app: AppAdapter) {
    super(null, app)
    this.#current = current
  }

  override isUpdaterActive(): boolean {
    return this.#current !== ''
  }

  /** Copies the package next to the program, where it can be renamed, and checks the copy. */
  async stage({ name, size, sha512 }: InstallPlan): Promise<void> {
    const staged = join(dirname(this.#current), `.${basename(this.#current)}.update`)
    try {
      await copyFile(this.installerPath ?? '', staged, constants.COPYFILE_FICLONE)
      await chmod(staged, 0o755)
      const file = await open(staged, 'r+')
      try {
        await file.sync()
      } finally {
        await file.close()
      }
      if (!(await isPackage(staged, { url: name, size, sha512 })))
        throw new UpdateError('wrong-hash', `The copy of ${name} is not the signed package`)
    } catch (error) {
      await rm(staged, removal)
      throw error
    }
    this.#staged = staged
    // A name that contains a version would be wrong afterward; one chosen by the user stays.
    this.destination = /\d+\.\d+\.\d+/.test(basename(this.#current))
      ? join(dirname(this.#current), name)
      : this.#current
  }

  protected override doInstall(): boolean {
    renameSync(this.#staged, this.destination)
    if (this.destination !== this.#current) unlinkSync(this.#current)
    return true
  }
}

/** Converts an error of electron-updater, the file system or Lectern to the outcome shown to the user. */
function outcomeOf(error: unknown): InstallOutcome & { readonly ok: false } {
  if (error instanceof UpdateError) return { ok: false, fault: error.fault, detail: error.message }
  const detail = reasonOf(error)
  if (isDiskFull(error)) return { ok: false, fault: 'disk-full', detail }
  if (['EACCES', 'EPERM', 'EROFS'].includes(detail))
    return { ok: false, fault: 'not-writable', detail }
  if (detail === 'ERR_UPDATER_INVALID_SIGNATURE')
    return { ok: false, fault: 'bad-signature', detail }
  return { ok: false, fault: 'install-failed', detail }
}
