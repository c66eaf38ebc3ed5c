import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { expectPrivate } from '../../../fixtures/private.ts'
import { dataFolder } from '../../../../src/main/hosts/support/home.ts'
import { lockHome, readInstance } from '../../../../src/main/hosts/support/instance.ts'
import { logBounds, openLogFile } from '../../../../src/main/hosts/support/log-file.ts'
import { filesOf } from '../../../../src/main/hosts/support/opened-files.ts'
import { placesOf } from '../../../../src/main/hosts/support/data-folders.ts'

const folder = mkdtempSync(join(tmpdir(), 'lectern-home-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test.each([
  ['linux', {}, '/home/u/.config/Lectern'],
  ['linux', { XDG_CONFIG_HOME: '/xdg' }, '/xdg/Lectern'],
  ['linux', { XDG_CONFIG_HOME: 'relative' }, '/home/u/.config/Lectern'],
  ['darwin', {}, '/home/u/Library/Application Support/Lectern'],
  ['win32', { APPDATA: 'C:\\U\\AppData\\Roaming' }, 'C:\\U\\AppData\\Roaming\\Lectern'],
  ['win32', {}, '\\home\\u\\AppData\\Roaming\\Lectern'],
  ['win32', { LECTERN_HOME: 'd:\\mine\\.\\x' }, 'd:\\mine\\x'],
  ['win32', { LECTERN_HOME: '\\\\server\\share\\x' }, '\\\\server\\share\\x'],
  ['linux', { LECTERN_HOME: '/mine', XDG_CONFIG_HOME: '/xdg' }, '/mine'],
] as const)('on %s with %j the data folder is %s', (platform, env, place) => {
  expect(dataFolder({ platform, env, userHome: '/home/u' })).toBe(place)
})

describe('the lock of the data folder', () => {
  test('is exclusive, and can be acquired again', () => {
    const home = join(folder, 'one')
    const lock = lockHome(home)
    expect(lock).not.toBeNull()
    expect(lockHome(home)).toBeNull()
    lock?.announce({ host: 'loopback', pid: 1, port: 4000, secret: 's' })
    expect(readInstance(home)).toEqual({ host: 'loopback', pid: 1, port: 4000, secret: 's' })
    expectPrivate(join(home, 'instance.json'))
    lock?.release()
    lock?.release()
    expect(existsSync(join(home, 'instance.json'))).toBe(false)
    const again = lockHome(home)
    expect(again).not.toBeNull()
    again?.release()
  })

  test('ends with its process, however that ends, and an old announcement has no effect', async () => {
    const home = join(folder, 'killed')
    const child = fork(fileURLToPath(new URL('lock-child.ts', import.meta.url)), [home], {
      execArgv: ['--no-warnings'],
    })
    await once(child, 'message')
    expect(lockHome(home)).toBeNull()
    expect(readInstance(home)?.secret).toBe('left behind')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const lock = lockHome(home)
    expect(lock).not.toBeNull()
    expect(readInstance(home)).toBeNull()
    lock?.release()
  })

  test('ignores an unreadable announcement', () => {
    const home = join(folder, 'card')
    lockHome(home)?.release()
    for (const text of [
      '',
      'x',
      '[]',
      '{"host":"other"}',
      '{"host":"loopback","pid":1,"port":-1,"secret":"x"}',
    ]) {
      writeFileSync(join(home, 'instance.json'), text)
      expect(readInstance(home)).toBeNull()
    }
  })
})

describe('the log file', () => {
  test('is private, limited in size, and rotated', () => {
    const home = join(folder, 'log')
    const write = openLogFile(home)
    const line = 'x'.repeat(64 * 1024)
    const lines = (5 * logBounds.bytes) / line.length
    for (let at = 0; at < lines; at++) write(`${at} ${line}`)
    const sizes = ['', '.1', '.2', '.3'].map(
      (age) =>
        statSync(join(home, 'logs', `lectern.log${age}`), { throwIfNoEntry: false })?.size ?? 0,
    )
    expect(sizes[3]).toBe(0)
    for (const size of sizes) expect(size).toBeLessThan(logBounds.bytes + 2 * line.length)
    expect(sizes[2]).toBeGreaterThan(0)
    expectPrivate(join(home, 'logs', 'lectern.log'))
    expect(readFileSync(join(home, 'logs', 'lectern.log'), 'utf8')).toContain(`${lines - 1} x`)
  })

  test('only loses lines when it cannot be written', () => {
    const home = join(folder, 'blocked')
    writeFileSync(home, 'a file where the folder should be')
    expect(() => openLogFile(home)('line')).not.toThrow()
  })
})

test('opens files of a command line only if Lectern supports their type', () => {
  const place = join(folder, 'files')
  lockHome(place)?.release()
  for (const name of ['a.wav', 'B.MP3', 'c.rtf', '-d.wav']) writeFileSync(join(place, name), '')
  const args = [
    '--x=a.wav',
    '-d.wav',
    'a.wav',
    'B.MP3',
    'c.rtf',
    'missing.wav',
    place,
    join(place, 'a.wav'),
    'https://x/a.wav',
  ]
  expect(filesOf(args, place)).toEqual([
    join(place, 'a.wav'),
    join(place, 'B.MP3'),
    join(place, 'missing.wav'),
    join(place, 'a.wav'),
  ])
})

test('finds everything next to the entry file; models next to the archive when packed', () => {
  const app = resolve('/my app')
  const entry = pathToFileURL(join(app, 'out', 'main', 'index.js')).href
  expect(placesOf(entry)).toMatchObject({
    rendererDir: join(app, 'out', 'renderer'),
    preload: join(app, 'out', 'preload', 'index.cjs'),
    modelsDir: join(app, 'resources', 'models'),
  })
  const resources = join(app, 'resources')
  expect(placesOf(entry, resources)).toMatchObject({
    modelsDir: join(resources, 'models'),
    icon: join(resources, 'icon.png'),
  })
  const worker = placesOf(entry).workerUrl('search')
  expect(fileURLToPath(worker)).toBe(join(app, 'out', 'main', 'workers', 'search.js'))
})
