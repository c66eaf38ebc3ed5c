import { execFile } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { forwarderDll } from '../../scripts/lib/forwarder.mjs'
import { disagreements, linesOf, tallyOf } from '../../scripts/lib/test-report.mjs'
import {
  filesNotRunnableOn,
  notRunnable,
  notRunnableOn,
  testPlace,
} from '../windows/not-runnable.mjs'
import { changeTexts, framed, frames, offDrive, onDrive } from '../windows/frames.ts'
import { onLinux } from '../windows/outside.ts'
import { packSources } from '../windows/sources.ts'

const root = process.cwd()

test('decodes a whole message, however its bytes are split', () => {
  const messages = [{ a: 1, big: 'x'.repeat(70_000) }, ['é', new Map([[1, 'two']])], null]
  const bytes = Buffer.concat(messages.map(framed))
  for (const size of [1, 3, 4, 5, 4096, bytes.length]) {
    const got: unknown[] = []
    const read = frames((message) => got.push(message))
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size))
    expect(got).toEqual(messages)
  }
})

test('converts paths below the root in every text of a message, including cycles', () => {
  const suite: Record<string, unknown> = { file: '/src/a.ts', other: '/srcs/a.ts' }
  suite['self'] = suite
  const there = changeTexts({ suite, map: new Map([['k', '/src']]) }, onDrive('/src'))
  expect(there).toMatchObject({ suite: { file: 'Z:/src/a.ts', other: '/srcs/a.ts' } })
  expect(there).toEqual({ suite, map: new Map([['k', 'Z:/src']]) })
  expect(changeTexts(['at file:///Z:/src/a.ts:1 and Z:/src/b.ts'], offDrive('/src'))).toEqual([
    'at file:///src/a.ts:1 and /src/b.ts',
  ])
})

test('converts Windows paths in program arguments to Linux', () => {
  expect(onLinux('C:\\users\\anna\\Temp\\a.wav', '/p')).toBe('/p/drive_c/users/anna/Temp/a.wav')
  expect(onLinux('play "Z:\\tmp\\b.wav" > C:\\c.wav', '/p')).toBe(
    'play "/tmp/b.wav" > /p/drive_c/c.wav',
  )
  expect(onLinux('-s 150 a\\b', '/p')).toBe('-s 150 a\\b')
})

test('creates a library without code that exports a function of another', () => {
  const dll = forwarderDll('own.dll', 'Name', 'other.Function')
  const header = dll.readUInt32LE(0x3c)
  expect(dll.toString('latin1', header, header + 4)).toBe('PE\0\0')
  const exports = dll.readUInt32LE(header + 24 + 112)
  const section = header + 24 + 240
  const inFile = (address: number): number =>
    address - dll.readUInt32LE(section + 12) + dll.readUInt32LE(section + 20)
  const textAt = (address: number): string => {
    const at = inFile(address)
    return dll.toString('latin1', at, dll.indexOf(0, at))
  }
  const pointed = (offset: number): number => dll.readUInt32LE(inFile(exports) + offset)
  expect(textAt(pointed(12))).toBe('own.dll')
  expect(textAt(dll.readUInt32LE(inFile(pointed(28))))).toBe('other.Function')
  expect(textAt(dll.readUInt32LE(inFile(pointed(32))))).toBe('Name')
  // Only a text inside the export directory is treated as the name of another function.
  const size = dll.readUInt32LE(header + 24 + 116)
  expect(dll.readUInt32LE(inFile(pointed(28)))).toBeLessThan(exports + size)
})

afterEach(() => vi.unstubAllEnvs())

describe('not-runnable list', () => {
  const file = {
    name: `${root}/test/a.test.ts`,
    status: 'passed',
    assertionResults: [
      { status: 'passed', ancestorTitles: [], title: 'one', fullName: 'one' },
      { status: 'skipped', ancestorTitles: ['group'], title: 'two', fullName: 'group two' },
      { status: 'skipped', ancestorTitles: [], title: 'three', fullName: 'three' },
    ],
  }
  const named = { file: 'test/a.test.ts', because: 'no bash' }
  const list = [
    { ...named, tests: ['group > two', 'four'] },
    { file: 'test/b.test.ts', because: 'no browser' },
  ]

  test('fails the run for a skipped unlisted test, and for a listed one that does not exist', () => {
    const wrong = [
      'test/a.test.ts > three: skipped, but not in the list',
      'test/a.test.ts > four: in the list, but not in the file',
    ]
    expect(disagreements([file], list)).toEqual(wrong)
    expect(tallyOf({ testResults: [file] }, 0, list)).toEqual({ passed: 1, failed: 2, wrong })
  })

  test('passes a run in which only listed tests are skipped', () => {
    const all = [{ ...named, tests: ['group > two', 'three'] }]
    expect(tallyOf({ testResults: [file] }, 0, all)).toEqual({ passed: 1, failed: 0, wrong: [] })
    expect(tallyOf({ testResults: [file] }, 0, [])).toMatchObject({ passed: 1, failed: 2 })
    expect(tallyOf({ testResults: [file] }, 1, all)).toMatchObject({ failed: 1 })
  })

  test('prints each test with its reason', () => {
    expect(linesOf(list)).toEqual([
      '- test/a.test.ts > group > two: no bash',
      '- test/a.test.ts > four: no bash',
      '- test/b.test.ts: no browser',
    ])
  })

  test('lists only existing tests', () => {
    const gone = notRunnable.flatMap(({ file: name, tests = [] }) => {
      const source = readFileSync(name, 'utf8')
      const titles = tests.flatMap((full) => full.split(' > '))
      return titles.filter((title) => !source.includes(title)).map((title) => `${name}: ${title}`)
    })
    expect(gone).toEqual([])
  })

  test('applies per system: without one to Wine, and Linux runs everything', () => {
    const places = new Set(notRunnable.flatMap(({ on = ['wine'] }) => on))
    expect([...places].toSorted()).toEqual(['darwin', 'win32', 'wine'])
    expect(notRunnableOn('linux')).toEqual([])
    const files = (place: string): readonly string[] => notRunnableOn(place).map((one) => one.file)
    const [mac, windows, wine] = ['darwin', 'win32', 'wine'].map(files)
    // The Linux keychain exists only there; Windows has no file modes; only Wine lacks npm.
    expect(mac).toContain('test/main/platform/secrets/keyring.test.ts')
    expect(mac).not.toContain('test/main/domains/library/service/saves/write-copy.test.ts')
    expect(windows).toContain('test/main/domains/library/service/saves/write-copy.test.ts')
    expect(windows).not.toContain('test/local-service/models.test.mjs')
    expect(wine).toEqual(
      expect.arrayContaining(['test/local-service/models.test.mjs', ...(mac ?? [])]),
    )
    expect(filesNotRunnableOn('win32')).toEqual([])
    expect(filesNotRunnableOn('wine')).toContain('test/main/hosts/loopback/process.test.ts')
  })

  test('is the only way to skip tests in these folders, and Wine runs all of the folders', () => {
    const folders = ['main', 'shared', 'local-service', 'system', 'security']
    const config = readFileSync('test/windows/vitest.config.ts', 'utf8')
    expect(config).toContain(`test/{${folders.join()}}/**/*.test.{ts,mjs}`)
    const skipping = globSync(`test/{${folders.join()}}/**/*.test.{ts,mjs}`).filter((name) =>
      /\.(?:runIf|skipIf)\(/.test(readFileSync(name, 'utf8')),
    )
    expect(skipping).toEqual([])
    const listed = notRunnable.map(({ file: name }) => name.split('/')[1] ?? '')
    expect(listed.filter((folder) => !folders.includes(folder))).toEqual([])
  })

  test('detects Wine in Node for Windows on Linux', () => {
    expect(testPlace()).toBe(process.env['LECTERN_OUTSIDE'] ? 'wine' : process.platform)
    vi.stubEnv('LECTERN_OUTSIDE', 'Z:/tmp/outside')
    expect(testPlace()).toBe('wine')
  })

  test('skips a listed test where it cannot be run, which counts as passed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-listed-'))
    const report = join(folder, 'report.json')
    await promisify(execFile)(
      process.execPath,
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--project=unit',
        '--reporter=json',
        `--outputFile=${report}`,
        'test/main/hosts/support/system.test.ts',
      ],
      { env: { ...process.env, LECTERN_OUTSIDE: folder } },
    )
    const ran = JSON.parse(readFileSync(report, 'utf8')) as Parameters<typeof tallyOf>[0]
    rmSync(folder, { recursive: true, force: true })
    const skipped = ran.testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .flatMap(({ status, title }) => (status === 'passed' ? [] : [title]))
    expect(skipped).toEqual([
      'writes the autostart file where the desktop expects it, ignoring a relative setting',
    ])
    expect(tallyOf(ran, 0, notRunnableOn('wine'))).toMatchObject({ failed: 0, wrong: [] })
    expect(tallyOf(ran, 0, notRunnableOn('linux'))).toMatchObject({ failed: 1 })
  })
})

test('packs all sources in one file, as JavaScript and by path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-pack-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'src/main/parts'), { recursive: true })
  writeFileSync(join(folder, 'src/main/a.ts'), 'export const a: string = "é"')
  writeFileSync(join(folder, 'src/main/parts/b.ts'), 'export const b = 2 as number')
  const pack = readFileSync(packSources(folder))
  const end = 4 + pack.readUInt32LE()
  const places = JSON.parse(pack.toString('utf8', 4, end)) as Record<string, [number, number]>
  const sources = Object.entries(places).map(([path, [from, to]]) => [
    path,
    pack.toString('utf8', end + from, end + to).replaceAll(/ +/g, ' '),
  ])
  expect(Object.fromEntries(sources)).toEqual({
    '/src/main/a.ts': 'export const a = "é"',
    '/src/main/parts/b.ts': 'export const b = 2 ',
  })
})
