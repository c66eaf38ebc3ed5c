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

// electron-updater as it is, on the systems whose installers cannot run here: what it starts, and what it asks of the system, is noted.

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-installers-'))
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const bytes = randomBytes(100_000)
/** A package that was downloaded, and the plan to install it. */
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

describe('an installer of Windows', () => {
  const us = 'CN=The Lectern developers, O=Lectern, C=DE'
  const plan = (): InstallPlan => downloaded('Lectern-0.2.0-x64-setup.exe')
  /** What PowerShell says of signatures; gives the commands that asked it. */
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
  /** Programs that are started, with their arguments. */
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
    ['leaves it ended', false, ['--updated', '/S']],
  ])('of our publisher is started without questions, and %s', async (_, startsAfter, args) => {
    const commands = signedBy(us)
    const started = noteStarted()
    const installer = installerOf('nsis', [us])
    expect(await installer.prepare(plan())).toEqual({ ok: true })
    expect(started).toEqual([])
    expect(installer.install(startsAfter)).toEqual({ ok: true })
    expect(started).toEqual([{ program: expect.stringMatching(/\.exe$/), args, detached: true }])
    const program = started[0]?.program ?? ''
    expect(readFileSync(program).equals(bytes)).toBe(true)
    // What was looked at is what is started, or was renamed to it.
    expect(commands).toHaveLength(1)
    expect(commands[0]).toContain(join(folder, 'updates', 'installer'))
    expect(program).toContain(join(folder, 'updates', 'installer'))
  })

  test.each([
    ['somebody else', 'CN=Somebody Else, O=Lectern, C=DE'],
    ['somebody of our name in another country', 'CN=The Lectern developers, O=Lectern, C=US'],
    ['nobody', null],
  ])('signed by %s is refused, and nothing is started', async (_, subject) => {
    signedBy(subject)
    const started = noteStarted()
    const installer = installerOf('nsis', [us])
    expect(await installer.prepare(plan())).toMatchObject({ ok: false, fault: 'bad-signature' })
    expect(installer.install(true)).toMatchObject({ ok: false, fault: 'install-failed' })
    expect(started).toEqual([])
  })

  test('of a build that nobody signed is held against the signed feed alone', async () => {
    const commands = signedBy(null)
    const started = noteStarted()
    const installer = installerOf('nsis')
    expect(await installer.prepare(plan())).toEqual({ ok: true })
    expect(commands).toEqual([])
    installer.install(true)
    expect(started).toHaveLength(1)
  })

  test('that was changed on the disk is refused before its signature is asked for', async () => {
    const commands = signedBy(us)
    const changed = plan()
    writeFileSync(changed.path, randomBytes(bytes.length))
    expect(await installerOf('nsis', [us]).prepare(changed)).toMatchObject({ fault: 'wrong-hash' })
    expect(commands).toEqual([])
  })

  test('is no way back of its own: the program before is not kept as a file', async () => {
    expect(await installerOf('nsis').keepCurrent(join(folder, 'previous'))).toBeNull()
  })
})

describe('an update of macOS', () => {
  /** Squirrel as Electron offers it: reads what it is pointed to, with the headers that it is given. */
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
    // It asks sysctl and uname which Mac this is.
    vi.spyOn(childProcess, 'execFileSync').mockReturnValue('')
    const module = new Module(electron)
    Object.assign(module, { exports: { autoUpdater: squirrel }, loaded: true })
    require.cache[electron] = module
  })
  afterEach(() => {
    delete require.cache[electron]
  })
  const plan = (): InstallPlan => downloaded('Lectern-0.2.0-x64.zip')

  test('is handed to the system, and to nobody else on this computer', async () => {
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
    // Nobody serves the package any more.
    await expect
      .poll(() =>
        fetch(squirrel.feed.url).then(
          () => 'served',
          () => 'closed',
        ),
      )
      .toBe('closed')
  })

  test('that the system refuses is not installed', async () => {
    squirrel.refuses = true
    const installer = installerOf('mac')
    expect(await installer.prepare(plan())).toMatchObject({ ok: false, fault: 'install-failed' })
    expect(installer.install(true)).toMatchObject({ ok: false, fault: 'install-failed' })
    expect(squirrel.restarts).toBe(0)
  })

  test('that was changed on the disk never reaches the system', async () => {
    const changed = plan()
    writeFileSync(changed.path, randomBytes(bytes.length))
    expect(await installerOf('mac').prepare(changed)).toMatchObject({ fault: 'wrong-hash' })
    expect(squirrel.feed.url).toBe('')
  })
})
