import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, test, vi } from 'vitest'
import * as privateFiles from '../../../src/main/platform/security/private-files.ts'
import { held } from '../../fixtures/held.ts'
import { updateSetup, type UpdateSetup, type SetupOptions } from './update-setup.ts'
import { makeRelease, publish } from './mirror.ts'

vi.mock('../../../src/main/platform/security/private-files.ts', { spy: true })

const setups: UpdateSetup[] = []
const open = async (options: SetupOptions = {}): Promise<UpdateSetup> => {
  const made = await updateSetup(options)
  setups.push(made)
  publish(makeRelease({ key: made.key }), ...made.mirrors)
  return made
}
afterEach(async () => {
  vi.restoreAllMocks()
  for (const made of setups.splice(0)) await made.close()
})
const requests = (it: UpdateSetup): number => it.mirrors.flatMap((mirror) => mirror.requests).length
const next = async (it: UpdateSetup): Promise<void> => {
  it.planned.at(-1)?.work()
  await expect.poll(() => it.updates.state().stage).not.toBe('checking')
}

describe('updates turned off', () => {
  test('sends no requests: at startup, on schedule, on demand', async () => {
    const it = await open()
    it.settings.updateChecks = false
    expect(it.updates.state().stage).toBe('off')
    await next(it)
    await it.updates.check(true)
    await it.updates.download()
    expect(requests(it)).toBe(0)
    expect(it.updates.state()).toMatchObject({ stage: 'off', update: null })
  })

  test('stops a running download', async () => {
    const it = await open()
    hang(it)
    await it.updates.check(true)
    const downloading = it.updates.download()
    await expect.poll(() => requests(it)).toBeGreaterThan(4)
    it.settings.updateChecks = false
    it.updates.settingsChanged()
    await downloading
    expect(it.updates.state().stage).toBe('available')
  })
})

test('checks half a minute after startup and every 24 hours', async () => {
  const it = await open()
  expect(it.planned.map(({ ms }) => ms)).toEqual([30_000])
  await next(it)
  expect(it.updates.state().stage).toBe('available')
  expect(it.planned.at(-1)?.ms).toBe(24 * 60 * 60 * 1000)
})

test('reports a missing network only for checks requested by the user', async () => {
  const it = await open()
  for (const mirror of it.mirrors)
    mirror.misbehave = (_name, _request, response) => {
      response.destroy()
      return true
    }
  await next(it)
  expect(it.updates.state()).toMatchObject({ stage: 'idle', failure: null, checkedAt: null })
  await it.updates.check(true)
  expect(it.updates.state()).toMatchObject({
    stage: 'failed',
    failure: { step: 'check', fault: 'offline' },
  })
  for (const mirror of it.mirrors) mirror.misbehave = null
  await next(it)
  expect(it.updates.state()).toMatchObject({ stage: 'available', failure: null })
})

test('keeps a found update when the next scheduled check fails', async () => {
  const it = await open()
  await it.updates.check(true)
  await it.updates.download()
  for (const mirror of it.mirrors) mirror.files.set('latest-linux.yml', Buffer.from('x'))
  await next(it)
  expect(it.updates.state()).toMatchObject({ stage: 'ready', failure: null })
})

describe('during a recording', () => {
  test('delays checks until the end', async () => {
    const it = await open()
    it.updates.recording(true)
    await next(it)
    expect(requests(it)).toBe(0)
    it.updates.recording(false)
    await expect.poll(() => it.updates.state().stage).toBe('available')
  })

  test('pauses a download, and resumes it afterwards', async () => {
    const it = await open()
    await it.updates.check(true)
    hang(it)
    const downloading = it.updates.download()
    await expect.poll(() => it.updates.state().progress?.bytes ?? 0).toBeGreaterThan(0)
    it.updates.recording(true)
    await downloading
    expect(it.updates.state()).toMatchObject({ stage: 'available', recording: true })
    for (const mirror of it.mirrors) mirror.misbehave = null
    it.updates.recording(false)
    await expect.poll(() => it.updates.state().stage).toBe('ready')
    const ranges = it.mirrors.flatMap((mirror) => mirror.requests.map((one) => one.headers.range))
    expect(ranges.filter(Boolean)).toHaveLength(1)
  })

  test('rejects a request to install', async () => {
    const it = await open()
    await it.updates.check(true)
    await it.updates.download()
    it.updates.recording(true)
    await expect(it.updates.install()).rejects.toMatchObject({ code: 'WORK_UNDER_WAY' })
    await expect(it.updates.rollBack()).rejects.toMatchObject({ code: 'WORK_UNDER_WAY' })
    expect(it.events).toEqual([])
    expect(it.updates.state().stage).toBe('ready')
  })
})

test('keeps the received part when paused', async () => {
  const it = await open()
  await it.updates.check(true)
  hang(it)
  const downloading = it.updates.download()
  await expect.poll(() => it.updates.state().progress?.bytes ?? 0).toBeGreaterThan(0)
  it.updates.cancel()
  await downloading
  expect(it.updates.state()).toMatchObject({ stage: 'available', progress: null, failure: null })
  expect(it.left()).toEqual([expect.stringMatching(/\.part$/)])
})

test('replaces a downloaded version with a newer one', async () => {
  const it = await open()
  it.settings.updateOnQuit = true
  await it.updates.check(true)
  await it.updates.download()
  await expect.poll(() => it.events.at(-1)).toBe('on quit')
  const issuedAt = new Date().toISOString()
  publish(makeRelease({ key: it.key, version: '0.3.0', feed: { issuedAt } }), ...it.mirrors)
  await next(it)
  expect(it.updates.state()).toMatchObject({ stage: 'available', update: { version: '0.3.0' } })
  // The installation scheduled for the end of this run is canceled with it.
  expect(it.events.at(-1)).toBe('not on quit')
  expect(it.left().filter((name) => name.startsWith('packages'))).toEqual([])
})

test('reports a version without downloading it if the installation cannot update itself', async () => {
  const it = await open({
    host: (host) => ({
      ...host,
      support: async () => ({ mode: 'manual', why: 'system-package' }),
    }),
  })
  await it.updates.check(true)
  await it.updates.download()
  expect(it.updates.state()).toMatchObject({
    stage: 'available',
    support: { mode: 'manual', why: 'system-package' },
  })
  expect(it.left()).toEqual([])
})

test.each<[string, SetupOptions['over'] & object, string]>([
  [
    'a build without mirrors',
    { feed: () => ({ mirrors: [], publicKeys: [], downloadPage: '', windowsPublishers: [] }) },
    'no-feed',
  ],
  ['a browser tab', { host: undefined }, 'browser'],
])('reports that %s cannot update, and sends no request', async (_name, over, why) => {
  const it = await open({ over })
  await it.updates.check(true)
  expect(it.updates.state().support).toEqual({ mode: 'none', why })
  expect(it.planned).toEqual([])
  expect(requests(it)).toBe(0)
})

test('loses only the option to roll back with damaged records', async () => {
  const it = await open()
  await it.updates.check(true)
  const { writeFileSync } = await import('node:fs')
  writeFileSync(`${it.home}/updates/state.json`, '{"last": 5, "rollout')
  await it.restart('0.1.0')
  await it.updates.check(true)
  expect(it.updates.state()).toMatchObject({ stage: 'available', rollBack: null })
})

describe('serialized installation', () => {
  const ready = async (options: SetupOptions = {}): Promise<UpdateSetup> => {
    const it = await open(options)
    await it.updates.check(true)
    await it.updates.download()
    return it
  }
  /** Host whose preparation waits for the test. */
  const slowly = () => {
    const gate = Promise.withResolvers<void>()
    const host: SetupOptions['host'] = (given) => ({
      ...given,
      async prepare(plan) {
        const outcome = await given.prepare(plan)
        await gate.promise
        return outcome
      },
    })
    return { gate, host }
  }

  test('respects a choice that is canceled while the package is prepared', async () => {
    const { gate, host } = slowly()
    const it = await ready({ host })
    it.settings.updateOnQuit = true
    it.updates.settingsChanged()
    await expect.poll(() => it.events.at(-1)).toBe('prepare 0.2.0')
    it.settings.updateOnQuit = false
    it.updates.settingsChanged()
    gate.resolve()
    await expect.poll(() => it.records()['pending']).toBeNull()
    expect(it.events).not.toContain('on quit')
  })

  test('does not restart if a recording begins while the package is prepared', async () => {
    const { gate, host } = slowly()
    const it = await ready({ host })
    const installing = it.updates.install()
    await expect.poll(() => it.events.at(-1)).toBe('prepare 0.2.0')
    it.updates.recording(true)
    gate.resolve()
    await installing
    expect(it.events).not.toContain('restart')
    expect(it.updates.state().failure).toMatchObject({ step: 'install', fault: 'recording' })
    expect(it.records()['pending']).toBeNull()
    it.updates.recording(false)
    await it.updates.install()
    expect(it.events.at(-1)).toBe('restart')
  })

  test('prepares an update once when it is chosen twice', async () => {
    const it = await ready()
    it.settings.updateOnQuit = true
    it.updates.settingsChanged()
    it.updates.settingsChanged()
    await expect.poll(() => it.events.at(-1)).toBe('on quit')
    expect(it.events).toEqual(['backup', 'prepare 0.2.0', 'on quit'])
  })

  test('cancels and repeats what its host still schedules when the core restarts', async () => {
    const it = await ready()
    it.settings.updateOnQuit = true
    it.updates.settingsChanged()
    await expect.poll(() => it.events.at(-1)).toBe('on quit')
    await it.restart('0.1.0')
    expect(it.events.at(-1)).toBe('not on quit')
    await it.updates.check(false)
    await expect.poll(() => it.events.at(-1)).toBe('on quit')
    // The recent backup is reused for the same update.
    expect(it.events.filter((event) => event === 'backup')).toHaveLength(1)
  })
})

test('keeps the previous rollback until the next update is installed', async () => {
  const it = await open()
  await it.updates.check(true)
  await it.updates.download()
  await it.updates.install()
  await it.restart('0.2.0')
  expect(it.left()).toEqual(['previous/Lectern.AppImage'])
  const issuedAt = new Date().toISOString()
  publish(makeRelease({ key: it.key, version: '0.3.0', feed: { issuedAt } }), ...it.mirrors)
  it.settings.updateOnQuit = true
  await it.updates.check(true)
  await it.updates.download()
  await expect.poll(() => it.events.at(-1)).toBe('on quit')
  const savedPackage = (): string =>
    readFileSync(`${it.home}/updates/previous/Lectern.AppImage`, 'utf8')
  expect(savedPackage()).toBe('version 0.1.0')
  // It was never installed.
  await it.restart('0.2.0')
  expect(savedPackage()).toBe('version 0.1.0')
  expect(it.left().filter((name) => name.startsWith('previous.next'))).toEqual([])
  await it.updates.check(true)
  await it.updates.install()
  await it.restart('0.3.0')
  expect(savedPackage()).not.toBe('version 0.1.0')
  expect(it.updates.state().rollBack).toMatchObject({ version: '0.2.0', hasPackage: true })
})

test('removes leftovers of an update even if another program briefly reads its package', async () => {
  const it = await open()
  await it.updates.check(true)
  await it.updates.download()
  await it.updates.install()
  const letGo = held(`${it.home}/updates/packages/Lectern-0.2.0-x86_64.AppImage`)
  setTimeout(letGo, 200)
  await it.restart('0.2.0')
  expect(it.left()).toEqual(['previous/Lectern.AppImage'])
  expect(it.updates.state().rollBack).toMatchObject({ version: '0.1.0', hasPackage: true })
})

test('does not roll back without a usable backup', async () => {
  const it = await open({ over: { isUsableBackup: async () => false } })
  await it.updates.check(true)
  await it.updates.download()
  await it.updates.install()
  await it.restart('0.2.0')
  it.events.length = 0
  await it.updates.rollBack()
  expect(it.updates.state().failure).toMatchObject({ step: 'roll-back', fault: 'no-backup' })
  expect(it.events).toEqual([])
  expect(it.updates.state().rollBack).toMatchObject({ version: '0.1.0' })
})

test('starts Lectern even if records cannot be written', async () => {
  const it = await open()
  await it.updates.check(true)
  await it.updates.download()
  await it.updates.install()
  const file = `${it.home}/updates/state.json`
  const records = readFileSync(file, 'utf8')
  vi.mocked(privateFiles.writePrivateFile).mockImplementation(() => {
    throw Object.assign(new Error('full'), { code: 'ENOSPC' })
  })
  await it.restart('0.2.0')
  expect(it.lines.join()).toContain('could not be determined')
  expect(it.planned.at(-1)?.ms).toBe(30_000)
  expect(readFileSync(file, 'utf8')).toBe(records)
})

/** Makes packages begin and then stall. */
function hang(it: UpdateSetup): void {
  for (const mirror of it.mirrors)
    mirror.misbehave = (name, _request, response) => {
      const bytes = mirror.files.get(name)
      if (!bytes || !name.endsWith('.AppImage')) return false
      response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, 100_000))
      return true
    }
}
