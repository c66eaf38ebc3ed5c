import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { KeychainEntry } from '../../../src/main/platform/secrets/keychain.ts'
import { systemChecks, type SystemDeps } from '../../../src/main/self-test/system.ts'
import type { CheckScope } from '../../../src/main/self-test/check.ts'
import { sqliteVersion } from '../../../src/main/platform/database/open-file.ts'
import { memoryKeychain } from '../../fixtures/app.ts'

// Each check of the system passes on a healthy computer and fails on one with exactly this defect.

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-system-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const scope: CheckScope = {
  signal: new AbortController().signal,
  scratch: () => Promise.reject(new Error('no library is needed')),
}
type Name = keyof ReturnType<typeof systemChecks>
const run = (name: Name, change: Partial<SystemDeps> = {}) =>
  systemChecks({
    home: folder,
    platform: process.platform,
    clock: Date.now,
    keychain: memoryKeychain(),
    proxyFor: async () => null,
    versions: process.versions,
    sqliteVersion,
    tempFolder: folder,
    ...change,
  })[name](scope)

test('components: passes with the Node and SQLite that run these tests', async () => {
  expect(await run('versions')).toMatchObject({
    result: 'pass',
    values: { node: process.version.slice(1) },
  })
})

test('components: fails for an old Node or SQLite and reports which', async () => {
  expect(await run('versions', { versions: { node: '22.21.0' } })).toEqual({
    result: 'fail',
    note: 'outdated',
    values: { name: 'Node.js', version: '22.21.0' },
  })
  expect(
    await run('versions', { versions: { node: '24.18.0' }, sqliteVersion: () => '3.44.9' }),
  ).toMatchObject({
    result: 'fail',
    values: { name: 'SQLite', version: '3.44.9' },
  })
  expect(
    await run('versions', { versions: { node: '24.18.0', electron: '45.4.1' } }),
  ).toMatchObject({ result: 'pass', values: { engine: 'Electron 45.4.1' } })
})

test('clock: fails for a wrong date and for a clock that differs from the disk', async () => {
  expect(await run('clock')).toMatchObject({ result: 'pass' })
  expect(await run('clock', { clock: () => 0 })).toMatchObject({
    result: 'fail',
    note: 'wrongDate',
  })
  expect(await run('clock', { clock: () => Date.now() + 3_600_000 })).toMatchObject({
    result: 'fail',
    note: 'clockJumps',
    values: { seconds: 3600 },
  })
})

test('temporary folder: fails if it is missing; leaves a usable one empty', async () => {
  expect(await run('temp-folder')).toMatchObject({ result: 'pass' })
  expect(readdirSync(folder)).toEqual([])
  await expect(run('temp-folder', { tempFolder: join(folder, 'gone') })).rejects.toMatchObject({
    code: 'ENOENT',
  })
})

test('temporary folder: fails if others can read folders in it', async () => {
  // As on a file system without modes: the folder reports that everyone may read it.
  const modes = { modeOf: async () => 0o40_777 }
  expect(await run('temp-folder', { ...modes, platform: 'linux' })).toMatchObject({
    result: 'fail',
    note: 'openFolder',
  })
  expect(await run('temp-folder', { ...modes, platform: 'win32' })).toMatchObject({
    result: 'pass',
  })
})

test('data folder: fails if it is missing or a file, and reports only the code', async () => {
  expect(await run('data-folder')).toMatchObject({ result: 'pass' })
  expect(readdirSync(folder)).toEqual([])
  const gone = await run('data-folder', { home: join(folder, 'gone') })
  expect(gone).toEqual({ result: 'fail', note: 'broke', values: { code: 'ENOENT' } })
  expect(JSON.stringify(gone)).not.toContain(folder)
})

test('disk space: fails below 1 GB and reports the free space', async () => {
  expect(await run('disk-space', { freeBytes: async () => 81_000_000_000 })).toMatchObject({
    result: 'pass',
    values: { free: 81 },
  })
  expect(await run('disk-space', { freeBytes: async () => 640_000_000 })).toMatchObject({
    result: 'fail',
    note: 'littleSpace',
    values: { free: 0.6 },
  })
})

test('keychain: writes, reads and deletes an entry of its own and ignores account keys', async () => {
  const keychain = memoryKeychain()
  keychain.secrets.set('Lectern/bigmodel', 'the real key')
  const entryNames: string[] = []
  const named = ({ service, account }: KeychainEntry): string => `${service}/${account}`
  const watched = {
    ...keychain,
    get: (entry: KeychainEntry) => (entryNames.push(named(entry)), keychain.get(entry)),
    set: (entry: KeychainEntry, secret: string) => (
      entryNames.push(named(entry)),
      keychain.set(entry, secret)
    ),
    delete: (entry: KeychainEntry) => (entryNames.push(named(entry)), keychain.delete(entry)),
  }
  expect(await run('keychain', { keychain: watched })).toMatchObject({
    result: 'pass',
    values: { store: 'Test keychain' },
  })
  expect([...keychain.secrets]).toEqual([['Lectern/bigmodel', 'the real key']])
  expect(new Set(entryNames).size).toBe(1)
  expect(entryNames[0]).toMatch(/^Lectern self-test\/[0-9a-f]{16}$/)
})

test.each([
  ['that is locked', { set: { ok: false, trouble: 'locked' } }, 'fail', 'locked'],
  ['that fails', { set: { ok: false, trouble: 'failed' } }, 'fail', 'broke'],
  ['that is missing', { set: { ok: false, trouble: 'absent' } }, 'unavailable', 'noKeychain'],
  ['that loses an entry', { get: { ok: true, value: null } }, 'fail', 'wrongResult'],
  ['that returns another entry', { get: { ok: true, value: 'other' } }, 'fail', 'wrongResult'],
] as const)('keychain: reports one %s', async (_, answers, result, note) => {
  const keychain = memoryKeychain()
  const broken = {
    ...keychain,
    ...('set' in answers && { set: async () => answers.set }),
    ...('get' in answers && { get: async () => answers.get }),
  }
  expect(await run('keychain', { keychain: broken })).toMatchObject({ result, note })
  expect(keychain.secrets.size).toBe(0)
})

test('keychain: fails for an entry that remains after its deletion', async () => {
  const keychain = { ...memoryKeychain(), delete: async () => ({ ok: true, value: true }) as const }
  expect(await run('keychain', { keychain })).toMatchObject({ result: 'fail', note: 'wrongResult' })
})

test('proxy: passes without one or if it responds, fails if it does not', async () => {
  expect(await run('proxy')).toMatchObject({ result: 'pass', note: 'directNetwork' })
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const proxyFor = async (): Promise<string> => `http://127.0.0.1:${port}`
  expect(await run('proxy', { proxyFor })).toMatchObject({ result: 'pass', note: 'proxyReached' })
  await new Promise((resolve) => server.close(resolve))
  expect(await run('proxy', { proxyFor })).toMatchObject({ result: 'fail', note: 'proxyDown' })
})

test('print: does not fail without a printing host, fails for output that is not a PDF', async () => {
  expect(await run('print')).toMatchObject({ result: 'unavailable', note: 'needsWindow' })
  const printed = (text: string) => ({ printPdf: async () => new TextEncoder().encode(text) })
  expect(await run('print', printed('%PDF-1.7 ... %%EOF'))).toMatchObject({ result: 'pass' })
  expect(await run('print', printed('%PDF-1.7 ...'))).toMatchObject({ result: 'fail' })
  expect(await run('print', printed(''))).toMatchObject({ result: 'fail' })
})
