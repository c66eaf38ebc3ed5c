import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { browserCommand } from '../../../src/main/loopback/open-browser.ts'
import { parseArguments } from '../../../src/main/loopback/arguments.ts'
import { startHost, type HostProcess } from '../../fixtures/host-process.ts'
import { builtFiles, root } from '../packaging/built.ts'
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

const again = (args: readonly string[] = []): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(root, 'out/loopback/index.js'), '--no-open', ...args],
      { env: { ...process.env, LECTERN_HOME: home }, timeout: 15_000 },
      (error, stdout) => resolve({ code: error ? Number(error.code) : 0, output: stdout }),
    )
  })

test('starts, lets one browser in, tells its tab when it is closed, and ends well', async () => {
  host = await startHost(home)
  const { port, pathname } = new URL(host.launchUrl)
  const { cookie, key } = await enterAt(Number(port), pathname)
  expect((await ask(Number(port), '/', { headers: { cookie } })).status).toBe(200)
  const own = { cookie, origin: `http://127.0.0.1:${port}` }
  const socket = await openSocket(Number(port), own, key)
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
  const code = closeCode(socket)
  expect(statSync(home).mode & 0o777).toBe(0o700)
  for (const file of ['instance.json', 'logs/lectern.log'])
    if (existsSync(join(home, file))) expect(statSync(join(home, file)).mode & 0o077, file).toBe(0)
  expect(await host.stop()).toBe(0)
  expect(await code).toBe(4001)
  expect(host.output()).toContain('Lectern was closed.')
  expect(existsSync(join(home, 'instance.json'))).toBe(false)
}, 30_000)

test('a second launch on the same data says where the first one is, and opens nothing itself', async () => {
  host = await startHost(home)
  const second = await again()
  expect(second.code).toBe(0)
  const [, url = ''] = /Lectern is already running here: (http:\S+)/.exec(second.output) ?? []
  expect(new URL(url).port).toBe(new URL(host.launchUrl).port)
  expect(url).not.toBe(host.launchUrl)
  expect((await ask(Number(new URL(url).port), new URL(url).pathname)).status).toBe(200)
  // After a kill nothing is left that would keep the next one out.
  await host.kill()
  host = await startHost(home)
  expect(host.launchUrl).toContain('/launch/')
}, 40_000)

test('a taken port, or an argument it does not know, is said in one line', async () => {
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
  expect(output).toMatch(/^Lectern could not start: .*EADDRINUSE/)
  const unknown = await again(['--wrong'])
  expect(unknown).toEqual({
    code: 1,
    output: 'Lectern could not start: Lectern does not know --wrong\n',
  })
}, 40_000)

test('arguments are read strictly', () => {
  expect(parseArguments(['--no-open', '--port', '4000', 'a.wav'])).toEqual({
    open: false,
    port: 4000,
    rest: ['a.wav'],
  })
  expect(parseArguments(['--port=0'])).toEqual({ open: true, port: 0, rest: [] })
  for (const args of [
    ['--port'],
    ['--port', 'x'],
    ['--port', '70000'],
    ['--port=-1'],
    ['--ports=1'],
  ])
    expect(() => parseArguments(args)).toThrow(/--port/)
})

test('the browser is opened without a shell', () => {
  const url = 'http://127.0.0.1:1/launch/a&b;c'
  for (const platform of ['linux', 'darwin', 'win32']) {
    const { program, args } = browserCommand(platform, url)
    expect(program).not.toMatch(/sh|cmd|powershell/)
    expect(args.at(-1)).toBe(url)
  }
})
