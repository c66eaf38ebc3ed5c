import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expectPrivate } from '../../../fixtures/private.ts'
import {
  removeLaunchFile,
  removeLaunchFiles,
  writeLaunchFile,
} from '../../../../src/main/hosts/loopback/launch-file.ts'
import { browserCommand, openBrowser } from '../../../../src/main/hosts/loopback/open-browser.ts'
import { parseArguments } from '../../../../src/main/hosts/loopback/arguments.ts'
import { startHost, type HostProcess } from '../../../fixtures/host-process.ts'
import { builtFiles, root } from '../../packaging/built.ts'
import { ask, closeCode, enterAt, openSocket } from './fixture.ts'

let home: string
let host: HostProcess | null = null
beforeEach(() => {
  builtFiles('out/loopback')
  home = mkdtempSync(join(tmpdir(), 'lectern-process-'))
})
afterEach(async () => {
  await host?.kill()
  host = null
  rmSync(home, { recursive: true, force: true })
})

const again = (
  args: readonly string[] = ['--no-open'],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'out/loopback/index.js'), ...args],
      { env: { ...process.env, LECTERN_HOME: home, ...env }, timeout: 60_000 },
      (error, stdout) => resolve({ code: error ? Number(error.code) : 0, output: stdout }),
    )
  })

test('starts, admits one browser, notifies its tab when it is closed, and exits cleanly', async () => {
  host = await startHost(home)
  const { port, origin } = new URL(host.launchUrl)
  const { cookie, key } = await enterAt(host.launchUrl)
  expect((await ask(Number(port), '/', { headers: { cookie } })).status).toBe(200)
  const own = { cookie, origin }
  const socket = await openSocket(Number(port), own, key)
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
  const code = closeCode(socket)
  expectPrivate(home)
  for (const file of ['instance.json', 'logs/lectern.log'])
    if (existsSync(join(home, file))) expect(statSync(join(home, file)).mode & 0o077, file).toBe(0)
  expect(await host.stop()).toBe(0)
  expect(await code).toBe(4001)
  expect(host.output()).toContain('Lectern stopped.')
  expect(existsSync(join(home, 'instance.json'))).toBe(false)
}, 120_000)

test('a second launch with the same data reports the first one, and opens nothing itself', async () => {
  host = await startHost(home)
  const second = await again()
  expect(second.code).toBe(0)
  const withFile = await again(['--no-open', 'a.wav'])
  expect(withFile.output).toContain('these files weren’t imported')
  expect(second.output).not.toContain('Files')
  const [, url = ''] = /Lectern is already running at (http:\S+)/.exec(second.output) ?? []
  expect(new URL(url).port).toBe(new URL(host.launchUrl).port)
  expect(url).not.toBe(host.launchUrl)
  expect((await enterAt(url)).key).toMatch(/^[\w-]{43}$/)
  // A killed process leaves nothing that would block the next one.
  await host.kill()
  host = await startHost(home)
  expect(host.launchUrl).toContain('/launch/')
}, 120_000)

test('passes a private file to the browser, since every user can read process arguments', async () => {
  // The check uses /proc.
  if (process.platform !== 'linux') return
  const bin = mkdtempSync(join(tmpdir(), 'lectern-opener-'))
  try {
    // An opener that records its arguments.
    writeFileSync(join(bin, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" > '${bin}/args'\n`, {
      mode: 0o700,
    })
    host = await startHost(home, { PATH: `${bin}:${process.env['PATH'] ?? ''}` }, [])
    await expect.poll(() => existsSync(join(bin, 'args'))).toBe(true)
    const token = host.launchUrl.split('/').at(-1) ?? ''
    await expect.poll(() => readFileSync(join(bin, 'args'), 'utf8')).toContain(home)
    const args = readFileSync(join(bin, 'args'), 'utf8')
    expect(args).not.toContain(token)
    const file = args.trim()
    expectPrivate(file)
    expect(readFileSync(file, 'utf8')).toContain(`content="0;url=${host.launchUrl}"`)
    expect((await enterAt(host.launchUrl)).key).toMatch(/^[\w-]{43}$/)
    expect(existsSync(file)).toBe(false)
    const second = await again([], { PATH: bin })
    expect(second.code).toBe(0)
    expect(second.output).toContain('already running')
    expect(readdirSync(home).filter((name) => name.startsWith('open-'))).toHaveLength(1)
    await expect.poll(() => host?.output()).toContain('If it shows an error')
  } finally {
    rmSync(bin, { recursive: true, force: true })
  }
}, 120_000)

test('deletes unused launch files at the end and at the next start', () => {
  const url = 'http://127.0.0.1:1/launch/abc'
  const one = writeLaunchFile(home, url)
  const two = writeLaunchFile(home, `${url}d`)
  expect(one).not.toContain('abc')
  removeLaunchFile(home, url)
  expect([one, two].map((file) => existsSync(file))).toEqual([false, true])
  writeFileSync(join(home, 'open-notes.html'), '')
  removeLaunchFiles(home)
  expect([two, join(home, 'open-notes.html')].map((file) => existsSync(file))).toEqual([
    false,
    true,
  ])
})

test('treats a failing or missing opener as no browser', async () => {
  const bin = mkdtempSync(join(tmpdir(), 'lectern-opener-'))
  const path = process.env['PATH']
  try {
    process.env['PATH'] = bin
    expect(await openBrowser('linux', 'x')).toBe(false)
    writeFileSync(join(bin, 'xdg-open'), '#!/bin/sh\nexit 3\n', { mode: 0o700 })
    expect(await openBrowser('linux', 'x')).toBe(false)
    writeFileSync(join(bin, 'xdg-open'), '#!/bin/sh\nexit 0\n', { mode: 0o700 })
    expect(await openBrowser('linux', 'x')).toBe(true)
  } finally {
    process.env['PATH'] = path
    rmSync(bin, { recursive: true, force: true })
  }
})

test('reports a port in use or an unknown argument in one line', async () => {
  host = await startHost(home)
  const { port } = new URL(host.launchUrl)
  rmSync(join(home, 'nothing'), { force: true })
  const other = spawn(
    process.execPath,
    [join(root, 'out/loopback/index.js'), '--no-open', '--port', port],
    { env: { ...process.env, LECTERN_HOME: join(home, 'other') } },
  )
  let output = ''
  other.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [code] = await once(other, 'exit')
  expect(code).toBe(1)
  expect(output).toMatch(/^Lectern couldn’t start: .*EADDRINUSE/)
  const unknown = await again(['--wrong'])
  expect(unknown).toEqual({
    code: 1,
    output: 'Lectern couldn’t start: Unknown option: --wrong\n',
  })
}, 120_000)

test('parses arguments strictly', () => {
  expect(parseArguments(['--no-open', '--port', '4000', 'a.wav'])).toEqual({
    open: false,
    port: 4000,
    rest: ['a.wav'],
    selfTest: null,
  })
  expect(parseArguments(['--port=0'])).toEqual({
    open: true,
    port: 0,
    rest: [],
    selfTest: null,
  })
  for (const args of [
    ['--port'],
    ['--port', 'x'],
    ['--port', '70000'],
    ['--port=-1'],
    ['--ports=1'],
  ])
    expect(() => parseArguments(args)).toThrow(/--port/)
})

test('opens the browser without a shell', () => {
  const url = 'http://127.0.0.1:1/launch/a&b;c'
  for (const platform of ['linux', 'darwin', 'win32']) {
    const { program, args } = browserCommand(platform, url)
    expect(program).not.toMatch(/sh|cmd|powershell/)
    expect(args.at(-1)).toBe(url)
  }
})
