import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { removal } from '../../../src/system/file-moves.ts'
import { updateFeedConfig } from '../../../src/shared/contract/update-feed.ts'
import { buildFeed, createAppUpdates } from '../../../src/main/updates/app-updates.ts'
import { defaultSettings } from '../../../src/shared/contract/settings.ts'

vi.mock('../../../src/shared/contract/update-feed.ts', { spy: true })

test('does not delay the start by reading the feed of this build', async () => {
  const home = mkdtempSync(join(tmpdir(), 'lectern-build-feed-'))
  onTestFinished(() => rmSync(home, removal))
  const updates = createAppUpdates({
    host: { home, version: '0.1.0', platform: 'linux' },
    store: {
      writable: false,
      settings: { get: () => defaultSettings, update: () => defaultSettings },
      backup: () => Promise.reject(new Error('Not expected')),
    },
    network: { proxyFor: async () => null, extraCa: async () => [] },
    workerUrl: () => new URL('file:///none'),
    clock: Date.now,
    log: { info() {}, warn() {}, error() {} },
    random: Math.random,
    after: () => () => {},
    onChange() {},
  })
  onTestFinished(() => updates.close())
  expect(updateFeedConfig).not.toHaveBeenCalled()
  expect(updates.state().downloadPage).toBe(buildFeed().downloadPage)
  expect(updateFeedConfig).toHaveBeenCalledOnce()
})

test('reads the feed of this build', () => {
  expect(() => buildFeed()).not.toThrow()
})

const key = Buffer.alloc(32, 1).toString('base64')
test.each([
  [{ mirrors: ['http://mirror.example/lectern/'] }, 'a mirror without encryption'],
  [{ mirrors: ['https://mirror.example/lectern'] }, 'a mirror without a trailing slash'],
  [{ publicKeys: ['abc'] }, 'a key of the wrong length'],
  [{ downloadPage: 'javascript:alert(1)' }, 'an invalid download page'],
])('rejects %o: %s', (some, _what) => {
  const whole = {
    mirrors: ['https://one.example/lectern/', 'https://two.example/lectern/'],
    publicKeys: [key],
    downloadPage: 'https://lectern.example/download',
    windowsPublishers: [],
  }
  expect(updateFeedConfig().safeParse(whole).success).toBe(true)
  expect(updateFeedConfig().safeParse({ ...whole, ...some }).success).toBe(false)
})
