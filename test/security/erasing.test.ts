import { expect, test } from 'vitest'
import { memoryKeychain, testApp } from '../fixtures/app.ts'
import { crashTestErase } from '../crash-tests/erase.ts'
import { crashTestRestore } from '../crash-tests/restore.ts'

test('leaves the whole library, or nothing after the next start, when an erase is killed', async () => {
  const found = await crashTestErase({ rounds: 4, seed: 7, files: 12 })
  expect(found.whole + found.finished + found.empty).toBe(4)
  expect(found.finished).toBeGreaterThan(0)
}, 300_000)

test('leaves the old or the restored library, and the backup, when a restore is killed', async () => {
  const found = await crashTestRestore({ rounds: 3, seed: 7, files: 6 })
  expect(found.old + found.restored).toBe(3)
}, 300_000)

test('deletes a key the keychain would not delete at the next start, but no key set since', async () => {
  const keychain = memoryKeychain()
  const refusing = { ...keychain, delete: async () => ({ ok: false, trouble: 'locked' }) as const }
  let app = await testApp({ keychain: refusing })
  const custom = { preset: 'custom', name: 'Mine', baseUrl: 'http://127.0.0.1:9/api' } as const
  const first = await app.call('accounts.create', custom)
  await app.call('accounts.setKey', { id: first.id, key: 'key-of-the-erased-account-0123' })
  expect(await app.raw('app.eraseAll', { confirm: 'erase everything' })).toMatchObject({
    error: { code: 'KEYCHAIN_LOCKED' },
  })
  const second = await app.call('accounts.create', custom)
  await app.call('accounts.setKey', { id: second.id, key: 'key-of-the-new-account-0123456' })
  await app.stop()
  app = await testApp({ home: app.home, keychain })
  expect((await app.call('accounts.list', {})).map(({ id }) => id)).toContain(second.id)
  expect([...keychain.secrets.values()].join()).toContain('key-of-the-new-account')
  expect(keychain.secrets.size).toBe(1)
  await app.remove()
})
