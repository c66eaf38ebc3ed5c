import childProcess from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire, Module } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  createInstaller,
  type Installer,
  type InstallerKind,
} from '../../../src/main/updates/installer.ts'
import type { InstallPlan } from '../../../src/main/host.ts'

// The real electron-updater, for systems whose installers cannot run here: the programs it starts and its requests
// to the system are recorded.

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-installers-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const bytes = randomBytes(100_000)
/** Creates a downloaded package and the plan to install it. */
function downloaded(name: string): InstallPlan {
  mkdirSync(join(folder, 'packages'))
  const path = join(folder, 'packages', name)
  writeFileSync(path, bytes)
  const sha512 = createHash('sha512').update(bytes).digest('base64')
  return { version: '0.2.0', path, name, size: bytes.length, sha512, isRollBack: false }
}
const installerOf = (kind: InstallerKind, publishers: readonly string[] = []): Installer =>
  createInstaller({
    kind,
    version: '0.1.0',
    folder: join(folder, 'updates'),
    appImage: null,
    publishers,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })

describe('Windows installer', () => {
  const us = 'CN=The Lectern developers, O=Lectern, C=DE'
  const plan = (): InstallPlan => downloaded('Lectern-0.2.0-x64-setup.exe')
  /** Simulates PowerShell's signature check; returns the commands that were run. */
  function signedBy(subject: string | null): string[] {
    const commands: string[] = []
    vi.spyOn(childProcess, 'execFile').mockImplementation(((
      _program: string,
      args: readonly string[],
      _options: object,
      done: (error: null, stdout: string, stderr: string) => void,
    ) => {
      const command = args.at(-1) ?? ''
      commands.push(command)
      const Path = /-LiteralPath '(.*)' \|/.exec(command)?.[1]
      const SignerCertificate = subject === null ? null : { Subject: subject }
      done(null, JSON.stringify({ Status: subject === null ? 2 : 0, Path, SignerCertificate }), '')
    }) as never)
    return commands
  }
  /** Records started programs with their arguments. */
  function noteStarted(): { program: string; args: readonly string[]; detached: unknown }[] {
    const started: ReturnType<typeof noteStarted> = []
    vi.spyOn(childProcess, 'spawn').mockImplementation(((
      program: string,
      args: readonly string[],
      { detached }: { detached?: boolean },
    ) => {
      started.push({ program, args, detached })
      return Object.assign(new EventEmitter(), { pid: 4711, unref: () => {} })
    }) as never)
    return started
  }

  test.each([
    ['starts Lectern again', true, ['--updated', '/S', '--force-run']],
    ['does not start Lectern again', false, ['--updated', '/S']],
  ])(
    'starts an installer of our publisher without a prompt, and %s',
    async (_, startsAfter, args) => {
      const commands = signedBy(us)
      const started = noteStarted()
      const installer = installerOf('nsis', [us])
      expect(await installer.prepare(plan())).toEqual({ ok: true })
      expect(started).toEqual([])
      expect(installer.install(startsAfter)).toEqual({ ok: true })
      expect(started).toEqual([{ program: expect.stringMatching(/\.exe$/), args, detached: true }])
      const program = started[0]?.program ?? ''
      expect(readFileSync(program).equals(bytes)).toBe(true)
      // The inspected file is the one that is started, or was renamed to it.
      expect(commands).toHaveLength(1)
      expect(commands[0]).toContain(join(folder, 'updates', 'installer'))
      expect(program).toContain(join(folder, 'updates', 'installer'))
    },
  )

  test.each([
    ['another publisher', 'CN=Somebody Else, O=Lectern, C=DE'],
    [
      'a publisher of the same name in another country',
      'CN=The Lectern developers, O=Lectern, C=US',
    ],
    ['no one', null],
  ])('rejects an installer signed by %s and starts nothing', async (_, subject) => {
    signedBy(subject)
    const started = noteStarted()
    const installer = installerOf('nsis', [us])
    expect(await installer.prepare(plan())).toMatchObject({ ok: false, fault: 'bad-signature' })
    expect(installer.install(true)).toMatchObject({ ok: false, fault: 'install-failed' })
    expect(started).toEqual([])
  })

  test('checks an unsigned build only against the signed feed', async () => {
    const commands = signedBy(null)
    const started = noteStarted()
    const installer = installerOf('nsis')
    expect(await installer.prepare(plan())).toEqual({ ok: true })
    expect(commands).toEqual([])
    installer.install(true)
    expect(started).toHaveLength(1)
  })

  test('rejects an installer changed on disk before its signature is checked', async () => {
    const commands = signedBy(us)
    const changed = plan()
    writeFileSync(changed.path, randomBytes(bytes.length))
    expect(await installerOf('nsis', [us]).prepare(changed)).toMatchObject({ fault: 'wrong-hash' })
    expect(commands).toEqual([])
  })

  test('does not keep the previous program as a file', async () => {
    expect(await installerOf('nsis').keepCurrent(join(folder, 'previous'))).toBeNull()
  })
})

describe('macOS update', () => {
  /** Squirrel as Electron provides it: reads the URL it is given, with the given headers. */
  class Squirrel extends EventEmitter {
    feed = { url: '', headers: {} as Record<string, string> }
    got: Buffer | null = null
    restarts = 0
    refuses = false
    setFeedURL(feed: Squirrel['feed']): void {
      this.feed = feed
    }
    checkForUpdates(): void {
      void this.read()
    }
    quitAndInstall(): void {
      this.restarts += 1
    }
    async read(): Promise<void> {
      if (this.refuses) {
        this.emit('error', new Error('Code signature did not pass validation'))
        return
      }
      const { url, headers } = this.feed
      const answer = (await (await fetch(url, { headers })).json()) as { url: string }
      this.got = Buffer.from(await (await fetch(answer.url)).arrayBuffer())
      this.emit('update-downloaded')
    }
  }
  let squirrel: Squirrel
  const require = createRequire(createRequire(import.meta.url).resolve('electron-updater'))
  const electron = require.resolve('electron')
  beforeEach(() => {
    squirrel = new Squirrel()
    // It calls sysctl and uname to detect the type of Mac.
    vi.spyOn(childProcess, 'execFileSync').mockReturnValue('')
    const module = new Module(electron)
    Object.assign(module, { exports: { autoUpdater: squirrel }, loaded: true })
    require.cache[electron] = module
  })
  afterEach(() => {
    delete require.cache[electron]
  })
  const plan = (): InstallPlan => downloaded('Lectern-0.2.0-x64.zip')

  test('serves the update only to the system, and to no one else on this computer', async () => {
    const installer = installerOf('mac')
    expect(await installer.prepare(plan())).toEqual({ ok: true })
    await expect.poll(() => squirrel.got?.equals(bytes)).toBe(true)
    expect(squirrel.restarts).toBe(0)
    const { url } = squirrel.feed
    expect(new URL(url).hostname).toBe('127.0.0.1')
    expect((await fetch(url)).status).toBe(401)
    installer.install(true)
  })

  test('starts Lectern again on a restart', async () => {
    const installer = installerOf('mac')
    await installer.prepare(plan())
    expect(installer.install(true)).toEqual({ ok: true })
    await expect.poll(() => squirrel.restarts).toBe(1)
    // The package is no longer served.
    await expect
      .poll(() =>
        fetch(squirrel.feed.url).then(
          () => 'served',
          () => 'closed',
        ),
      )
      .toBe('closed')
  })

  test('does not install an update that the system rejects', async () => {
    squirrel.refuses = true
    const installer = installerOf('mac')
    expect(await installer.prepare(plan())).toMatchObject({ ok: false, fault: 'install-failed' })
    expect(installer.install(true)).toMatchObject({ ok: false, fault: 'install-failed' })
    expect(squirrel.restarts).toBe(0)
  })

  test('does not pass an update changed on disk to the system', async () => {
    const changed = plan()
    writeFileSync(changed.path, randomBytes(bytes.length))
    expect(await installerOf('mac').prepare(changed)).toMatchObject({ fault: 'wrong-hash' })
    expect(squirrel.feed.url).toBe('')
  })
})
