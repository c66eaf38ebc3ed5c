import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { steadyThreadsFlag } from '../../../src/system/v8-wasm-workaround.ts'
import { startHost } from '../../fixtures/host-process.ts'
import { builtFiles, root } from './built.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'lectern-threads-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const preload = pathToFileURL(join(root, 'test/fixtures/thread-order.mjs')).href
const env = { NODE_OPTIONS: `--import=${preload}` }
/** Returns what the program set and started, in order. */
const orderIn = (output: string): string[] =>
  [...output.matchAll(/^order: (.*)$/gm)].map(([, value]) => value ?? '')

test('the loopback host sets the V8 thread flag before the first thread starts', async () => {
  builtFiles('out/loopback')
  const host = await startHost(home, env)
  await host.stop()
  const order = orderIn(host.output())
  expect(order[0]).toBe(steadyThreadsFlag)
  expect(order).toContain('thread')
}, 120_000)

test('the Electron host sets the V8 thread flag before the first thread starts', async () => {
  builtFiles('out/main')
  const { stderr } = await promisify(execFile)(
    process.execPath,
    [
      '--no-warnings',
      join(root, 'test/main/packaging/built-entry.mjs'),
      join(root, 'out/main/index.js'),
      join(root, 'test/main/hosts/electron/electron-mock.ts'),
      '',
    ],
    { env: { ...process.env, ...env, LECTERN_HOME: home }, timeout: 60_000 },
  )
  const order = orderIn(stderr)
  expect(order[0]).toBe(steadyThreadsFlag)
  expect(order).toContain('thread')
}, 120_000)

test('the command sets the V8 thread flag before the first thread starts', async () => {
  const { stderr } = await promisify(execFile)(
    process.execPath,
    ['--no-warnings', join(root, 'src/cli/main.ts'), 'voices.list'],
    { env: { ...process.env, ...env, LECTERN_HOME: home }, timeout: 60_000 },
  )
  expect(orderIn(stderr)[0]).toBe(steadyThreadsFlag)
}, 120_000)

test('the current V8 knows the flag: an unknown one would have no effect', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--v8-options'])
  // V8 lists flags by the name of the feature they enable.
  expect(stdout).toContain(steadyThreadsFlag.replace('--no-', '--'))
})
