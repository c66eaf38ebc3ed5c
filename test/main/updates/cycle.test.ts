import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { asOrdinaryUser } from '../../fixtures/ordinary-user.ts'
import { updateSetup, type UpdateSetup, type SetupOptions } from './update-setup.ts'
import { makeRelease, publish, releaseKey, signature } from './mirror.ts'

const setups: UpdateSetup[] = []
const open = async (options: SetupOptions = {}): Promise<UpdateSetup> => {
  const made = await updateSetup(options)
  setups.push(made)
  return made
}
afterEach(async () => {
  for (const made of setups.splice(0)) await made.close()
})
const runs = (it: UpdateSetup): string => readFileSync(it.program, 'utf8')

describe('complete update cycle', () => {
  test('finds, downloads, backs up, installs and starts an update', async () => {
    const it = await open()
    const release = makeRelease({ key: it.key })
    publish(release, ...it.mirrors)
    await it.updates.check(true)
    expect(it.updates.state()).toMatchObject({
      stage: 'available',
      update: {
        version: '0.2.0',
        size: release.package.length,
        notes: { en: '- Faster search', zh: '- 搜索更快' },
      },
    })
    expect(it.left()).toEqual([])
    await it.updates.download()
    expect(it.updates.state().stage).toBe('ready')
    expect(it.states.some(({ progress }) => (progress?.bytes ?? 0) > 0)).toBe(true)
    expect(it.left()).toEqual([`packages/${release.name}`])
    expect(runs(it)).toBe('version 0.1.0')

    void it.updates.install()
    await expect.poll(() => it.events).toEqual(['backup', 'prepare 0.2.0', 'restart'])
    expect(readFileSync(it.program).equals(release.package)).toBe(true)
    expect(readdirSync(dirname(it.program))).toEqual(['Lectern.AppImage'])

    await it.restart('0.2.0')
    expect(it.updates.state()).toMatchObject({
      stage: 'idle',
      rollBack: { version: '0.1.0', hasPackage: true },
    })
    // The remaining files are for rolling back.
    expect(it.left()).toEqual(['previous/Lectern.AppImage'])
  })

  test('rolls back to the previous version, with its package, without offering the update at once', async () => {
    const it = await open()
    const release = makeRelease({ key: it.key })
    publish(release, ...it.mirrors)
    await it.updates.check(true)
    await it.updates.download()
    void it.updates.install()
    await expect.poll(() => it.events.at(-1)).toBe('restart')
    await it.restart('0.2.0')
    void it.updates.rollBack()
    await expect.poll(() => it.events.at(-2)).toBe('prepare 0.1.0')
    await expect.poll(() => runs(it)).toBe('version 0.1.0')
    // The version that starts next finds the backup it may need.
    expect(it.records()).toMatchObject({
      rollBack: { version: '0.1.0', backup: 'library-20260101T000000000-before-update.db' },
    })
    await it.restart('0.1.0')
    await it.updates.check(false)
    expect(it.updates.state()).toMatchObject({
      stage: 'available',
      rollBack: null,
      update: { version: '0.2.0', quiet: true },
    })
  })

  test('reuses a downloaded package with a matching checksum', async () => {
    const it = await open()
    const release = makeRelease({ key: it.key })
    publish(release, ...it.mirrors)
    await it.updates.check(true)
    await it.updates.download()
    await it.restart('0.1.0')
    await it.updates.check(false)
    expect(it.updates.state().stage).toBe('ready')
    const fetched = it.mirrors.flatMap(({ requests }) => requests)
    expect(fetched.filter(({ path }) => path.endsWith('.AppImage'))).toHaveLength(1)
  })

  test('sends nothing that identifies an installation', async () => {
    const it = await open()
    publish(makeRelease({ key: it.key }), ...it.mirrors)
    await it.updates.check(true)
    await it.updates.download()
    const allowed = [
      'accept',
      'accept-encoding',
      'cache-control',
      'connection',
      'host',
      'user-agent',
    ]
    for (const { headers, path } of it.mirrors.flatMap(({ requests }) => requests)) {
      expect(Object.keys(headers).toSorted()).toEqual(allowed)
      expect(headers['user-agent']).toBe('Lectern')
      expect(path).not.toContain('?')
    }
    expect(it.mirrors.flatMap(({ requests }) => requests).length).toBeGreaterThanOrEqual(4)
    // The share of a staged release stays on this disk, and electron-updater stores no ID.
    expect(existsSync(join(it.home, 'updates', '.updaterId'))).toBe(false)
  })
})

describe('rejected feeds', () => {
  test.each([
    ['signed by another key', { key: releaseKey() }, 'bad-signature'],
    ['expired', { feed: { expires: new Date(Date.now() - 1).toISOString() } }, 'expired'],
    ['with a path as a file name', { feed: { files: [file('../../etc/passwd')] } }, 'malformed'],
    [
      'without a package for this system',
      { feed: { files: [file('Lectern-0.2.0-x64-setup.exe')] } },
      'no-package',
    ],
  ] as const)('%s', async (_name, options, fault) => {
    const it = await open()
    publish(makeRelease({ key: it.key, ...options }), ...it.mirrors)
    await it.updates.check(true)
    expect(it.updates.state()).toMatchObject({
      stage: 'failed',
      update: null,
      failure: { step: 'check', fault },
    })
    expect(it.left()).toEqual([])
  })

  test('rejects a feed of another system, even with a valid signature', async () => {
    const it = await open()
    const release = makeRelease({ key: it.key, feedName: 'latest-mac.yml' })
    for (const mirror of it.mirrors)
      for (const [name, bytes] of release.files)
        mirror.files.set(name.replace('latest-mac', 'latest-linux'), bytes)
    await it.updates.check(true)
    expect(it.updates.state().failure?.fault).toBe('bad-signature')
  })

  test('rejects a feed with a single changed byte', async () => {
    const it = await open()
    const release = makeRelease({ key: it.key })
    publish(release, ...it.mirrors)
    for (const mirror of it.mirrors) {
      const feed = Buffer.from(mirror.files.get('latest-linux.yml') ?? '')
      feed.write('9', feed.indexOf('0.2.0'))
      mirror.files.set('latest-linux.yml', feed)
    }
    await it.updates.check(true)
    expect(it.updates.state().failure?.fault).toBe('bad-signature')
  })

  test('rejects an old feed that is served again after a newer one', async () => {
    const it = await open()
    const old = makeRelease({ key: it.key, version: '0.2.0' })
    const issuedAt = new Date().toISOString()
    publish(makeRelease({ key: it.key, version: '0.3.0', feed: { issuedAt } }), ...it.mirrors)
    await it.updates.check(true)
    expect(it.updates.state().update?.version).toBe('0.3.0')
    publish(old, ...it.mirrors)
    await it.updates.check(true)
    expect(it.updates.state().failure).toMatchObject({ step: 'check', fault: 'replayed' })
  })

  test('rejects a web page instead of the feed, such as the sign-in page of a network', async () => {
    const it = await open()
    for (const mirror of it.mirrors)
      mirror.misbehave = (_name, _request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Sign in')
        return true
      }
    await it.updates.check(true)
    expect(it.updates.state().failure?.fault).toBe('not-a-feed')
  })

  test('rejects an endless feed', async () => {
    const it = await open()
    for (const mirror of it.mirrors)
      mirror.misbehave = (_name, _request, response) => {
        response.writeHead(200)
        const more = setInterval(() => response.write(Buffer.alloc(64 * 1024)), 1)
        response.on('close', () => clearInterval(more))
        return true
      }
    await it.updates.check(true)
    expect(it.updates.state().failure?.fault).toBe('not-a-feed')
  })
})

describe('updates that are not offered', () => {
  test.each([
    ['a signed older version', { version: '0.0.9' }],
    ['the same version', { version: '0.1.0' }],
    ['a staged version for other installations', { feed: { stagingPercentage: 50 } }],
    ['a version for a newer system', { feed: { minimumSystemVersion: '7.0.0' } }],
  ] as const)('offers nothing for %s', async (_name, options) => {
    const it = await open()
    publish(makeRelease({ key: it.key, ...options }), ...it.mirrors)
    await it.updates.check(true)
    expect(it.updates.state()).toMatchObject({ stage: 'idle', update: null, failure: null })
    expect(it.updates.state().checkedAt).not.toBeNull()
  })

  test('offers a staged version if the share is large enough', async () => {
    const it = await open()
    publish(makeRelease({ key: it.key, feed: { stagingPercentage: 51 } }), ...it.mirrors)
    await it.updates.check(true)
    expect(it.updates.state().stage).toBe('available')
  })
})

describe('two mirrors', () => {
  test('downloads from the faster mirror that serves a signed feed', async () => {
    const it = await open()
    const [slow, fast] = it.mirrors
    publish(makeRelease({ key: it.key }), slow, fast)
    slow.misbehave = late(slow, 80)
    await it.updates.check(true)
    await it.updates.download()
    expect(it.updates.state().stage).toBe('ready')
    expect(fast.requests.at(-1)?.path).toMatch(/AppImage$/)
    expect(slow.requests.some(({ path }) => path.endsWith('AppImage'))).toBe(false)
  })

  test('does not prefer an outdated mirror for being faster', async () => {
    const it = await open()
    const [slow, fast] = it.mirrors
    publish(makeRelease({ key: it.key, version: '0.2.0' }), fast)
    const issuedAt = new Date().toISOString()
    publish(makeRelease({ key: it.key, version: '0.3.0', feed: { issuedAt } }), slow)
    slow.misbehave = late(slow, 60)
    await it.updates.check(true)
    await it.updates.download()
    expect(it.updates.state()).toMatchObject({ stage: 'ready', update: { version: '0.3.0' } })
  })

  test.each([
    ['cannot be reached', (it: UpdateSetup) => it.mirrors[0].close()],
    [
      'has a wrong signature',
      (it: UpdateSetup) => {
        const feed = it.mirrors[0].files.get('latest-linux.yml') ?? Buffer.alloc(0)
        const forged = signature('latest-linux.yml', feed, releaseKey())
        it.mirrors[0].files.set('latest-linux.yml.sig', forged)
        return Promise.resolve()
      },
    ],
    [
      'never responds',
      (it: UpdateSetup) => {
        it.mirrors[0].misbehave = () => true
        return Promise.resolve()
      },
    ],
  ])('loses only the share of a mirror that %s', async (_name, corrupt) => {
    const it = await open()
    publish(makeRelease({ key: it.key }), ...it.mirrors)
    await corrupt(it)
    await it.updates.check(true)
    await it.updates.download()
    expect(it.updates.state().stage).toBe('ready')
    it.mirrors[0].close = async () => {}
  })
})

/** Responds after a delay. */
const late =
  (mirror: UpdateSetup['mirrors'][number], ms: number): NonNullable<typeof mirror.misbehave> =>
  (name, _request, response) => {
    void wait(ms).then(() => response.end(mirror.files.get(name)))
    return true
  }

function file(url: string): Readonly<Record<string, unknown>> {
  return { url, sha512: randomBytes(64).toString('base64'), size: 10 }
}

describe('installation', () => {
  const ready = async (options: SetupOptions = {}): Promise<UpdateSetup> => {
    const it = await open(options)
    publish(makeRelease({ key: it.key }), ...it.mirrors)
    await it.updates.check(true)
    await it.updates.download()
    expect(it.updates.state().stage).toBe('ready')
    return it
  }

  test('does not install a package that was changed on disk', async () => {
    const it = await ready()
    const [name = ''] = it.left()
    const path = join(it.home, 'updates', name)
    const bytes = readFileSync(path)
    bytes[1000] = (bytes[1000] ?? 0) ^ 1
    writeFileSync(path, bytes)
    await it.updates.install()
    expect(it.updates.state()).toMatchObject({
      stage: 'failed',
      failure: { step: 'install', fault: 'wrong-hash' },
    })
    expect(runs(it)).toBe('version 0.1.0')
    expect(it.events).not.toContain('restart')
    expect(it.records()).toMatchObject({ pending: null, last: null })
  })

  test('reports a folder that cannot be written', async () => {
    const it = await ready()
    chmodSync(dirname(it.program), 0o555)
    // Run as a user who is not its owner: the user running Lectern need not be the one who installed it.
    await asOrdinaryUser(() => it.updates.install(), it.home)
    chmodSync(dirname(it.program), 0o700)
    expect(it.updates.state().failure).toMatchObject({ step: 'install', fault: 'not-writable' })
    expect(runs(it)).toBe('version 0.1.0')
  })

  test('reports that the program is no longer where it was at startup', async () => {
    const it = await ready()
    renameSync(dirname(it.program), `${dirname(it.program)} elsewhere`)
    await it.updates.install()
    expect(it.updates.state().failure).toMatchObject({ step: 'install', fault: 'install-failed' })
    expect(it.events).not.toContain('restart')
  })

  test('installs nothing without a backup', async () => {
    const it = await ready({ over: { backup: () => Promise.reject(new Error('no room')) } })
    await it.updates.install()
    expect(it.updates.state().failure).toMatchObject({ step: 'install', fault: 'backup-failed' })
    expect(it.events).toEqual([])
    expect(runs(it)).toBe('version 0.1.0')
  })

  test('keeps the running version if a restart fails, and allows a retry', async () => {
    let fails = true
    const it = await ready({
      host: (host, { events }) => ({
        ...host,
        async restart() {
          if (!fails) return host.restart()
          events.push('restart failed')
          return { ok: false, fault: 'install-failed', detail: 'ENOENT' }
        },
      }),
    })
    await it.updates.install()
    expect(it.updates.state().failure).toMatchObject({ step: 'install', fault: 'install-failed' })
    expect(it.records()).toMatchObject({ pending: null })
    expect(runs(it)).toBe('version 0.1.0')
    fails = false
    await it.updates.install()
    expect(it.events).toContain('restart')
    expect(runs(it)).not.toBe('version 0.1.0')
  })

  test('detects an installer that did nothing at the next start', async () => {
    const it = await ready({
      host: (host) => ({ ...host, restart: async () => ({ ok: true }) }),
    })
    await it.updates.install()
    await it.restart('0.1.0')
    expect(it.updates.state()).toMatchObject({
      stage: 'failed',
      failure: { step: 'install', fault: 'install-failed' },
      rollBack: null,
    })
    await it.updates.check(true)
    expect(it.updates.state().stage).toBe('ready')
  })

  test('installs when Lectern quits if chosen: prepares at once, cancels with the setting', async () => {
    const it = await open()
    it.settings.updateOnQuit = true
    publish(makeRelease({ key: it.key }), ...it.mirrors)
    await it.updates.check(true)
    await it.updates.download()
    await expect.poll(() => it.events).toEqual(['backup', 'prepare 0.2.0', 'on quit'])
    it.settings.updateOnQuit = false
    it.updates.settingsChanged()
    await expect.poll(() => it.events.at(-1)).toBe('not on quit')
    expect(it.records()).toMatchObject({ pending: null })
    // A crash installs nothing, which is not a failure.
    it.settings.updateOnQuit = true
    it.updates.settingsChanged()
    await expect.poll(() => it.events.at(-1)).toBe('on quit')
    await it.restart('0.1.0')
    expect(it.updates.state()).toMatchObject({ stage: 'idle', failure: null })
  })
})
