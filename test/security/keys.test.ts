import { truncateSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { storePaths } from '../../src/main/platform/database/paths.ts'
import { memoryKeychain, testApp, type TestApp } from '../fixtures/app.ts'
import { eventually } from '../fixtures/eventually.ts'
import { startScriptedServer, type ScriptedServer } from '../fixtures/scripted-server.ts'

// Attacks on keys: whatever happens to the library, a key is sent only to the origin it was entered for.

const keyOfOld = 'key-of-the-old-host-0123456789'
const keyOfNew = 'key-of-the-new-host-0123456789'

let old: ScriptedServer
let fresh: ScriptedServer
let lectern: TestApp
const keychain = memoryKeychain()

beforeEach(async () => {
  keychain.secrets.clear()
  ;[old, fresh] = await Promise.all([startScriptedServer(), startScriptedServer()])
  for (const server of [old, fresh]) server.always({ status: 404, body: '{}' })
  lectern = await testApp({ keychain })
})
afterEach(async () => {
  await lectern.remove()
  await Promise.all([old.close(), fresh.close()])
})

/** Returns the keys a server received. */
const received = ({ requests }: ScriptedServer): readonly string[] =>
  requests.flatMap(({ headers }) => [headers.authorization ?? []].flat())

async function accountAt(server: ScriptedServer, key: string) {
  const account = await lectern.call('accounts.create', {
    preset: 'custom',
    name: 'Mine',
    baseUrl: `${server.url}/api`,
  })
  await lectern.call('accounts.setKey', { id: account.id, key })
  return account
}

/** Moves the account to another host, like Settings does. */
const move = async (id: string, server: ScriptedServer): Promise<unknown> => {
  const account = (await lectern.call('accounts.list', {})).find((each) => each.id === id)
  if (!account) throw new Error('no such account')
  return lectern.raw('accounts.update', {
    id,
    profile: { ...account.profile, baseUrl: `${server.url}/api` },
  })
}

test('does not send the new host’s key to the old one after a backup was restored at start', async () => {
  const { id } = await accountAt(old, keyOfOld)
  await lectern.call('accounts.activate', { id })
  await lectern.call('backups.make', {})
  await move(id, fresh)
  await lectern.call('accounts.setKey', { id, key: keyOfNew })
  await lectern.call('accounts.check', { id, callId: 'check-of-new-host' })
  expect(received(fresh)).toContain(`Bearer ${keyOfNew}`)
  await lectern.stop()
  // The disk loses the library: the start restores the backup, with the account at the old host.
  const { database } = storePaths(lectern.home)
  await Promise.all([`${database}-wal`, `${database}-shm`].map((path) => rm(path, { force: true })))
  truncateSync(database, 5000)
  old.requests.length = 0
  lectern = await testApp({ home: lectern.home, keychain })
  expect((await lectern.call('app.info', {})).storage).toMatchObject({ state: 'restored' })
  const restored = (await lectern.call('accounts.list', {})).find((each) => each.id === id)
  expect(restored).toMatchObject({
    profile: { baseUrl: `${old.url}/api` },
    key: { present: false, trouble: 'otherOrigin' },
  })
  const check = await lectern.call('accounts.check', { id, callId: 'check-after-restore' })
  expect(check).toMatchObject({ outcome: 'failed', error: { code: 'NO_KEY' } })
  expect(received(old)).toEqual([])
})

test('binds no key of an earlier version after a damaged library was restored at the first start', async () => {
  const { id } = await accountAt(old, keyOfOld)
  await lectern.call('backups.make', {})
  await lectern.stop()
  // As left by an earlier version: the key under the account's ID only, no record of the folder's keys.
  keychain.secrets.clear()
  await keychain.set({ service: 'Lectern', account: id }, keyOfNew)
  await rm(`${lectern.home}/keychain.json`)
  writeFileSync(storePaths(lectern.home).database, 'damaged')
  lectern = await testApp({ home: lectern.home, keychain })
  const check = await lectern.call('accounts.check', { id, callId: 'check-after-restore' })
  expect(check).toMatchObject({ outcome: 'failed', error: { code: 'NO_KEY' } })
  expect(received(old)).toEqual([])
})

test('sends each key to its own host when an account moves during a keychain prompt', async () => {
  const { id } = await accountAt(old, keyOfOld)
  await lectern.stop()
  let answer = (): void => {}
  const prompt = new Promise<void>((resolve) => (answer = resolve))
  let prompts = 0
  const prompting: typeof keychain = {
    ...keychain,
    get: async (entry) => {
      prompts += 1
      await prompt
      return keychain.get(entry)
    },
  }
  lectern = await testApp({ home: lectern.home, keychain: prompting })
  const checking = lectern.call('accounts.check', { id, callId: 'check-with-prompt' })
  await eventually(() => expect(prompts).toBeGreaterThan(0))
  const stored = lectern.raw('accounts.update', {
    id,
    profile: { ...(await profileOf()), baseUrl: `${fresh.url}/api` },
  })
  const typed = lectern.raw('accounts.setKey', { id, key: keyOfNew })
  answer()
  await Promise.all([checking, stored, typed])
  await lectern.raw('accounts.check', { id, callId: 'check-afterwards' })
  expect(received(old).filter((sent) => sent !== `Bearer ${keyOfOld}`)).toEqual([])
  expect(received(fresh).filter((sent) => sent !== `Bearer ${keyOfNew}`)).toEqual([])
})

/** Returns the profile of an account at the old host; read without the keychain, which is waiting for its user. */
async function profileOf() {
  const { presets } = await import('../../src/shared/provider/profiles.ts')
  return presets.custom
}

test('rejects a key typed for one host after another window has moved the account', async () => {
  const { id } = await accountAt(old, keyOfOld)
  await move(id, fresh)
  const reply = await lectern.raw('accounts.setKey', { id, key: keyOfOld, origin: old.url })
  expect(reply).toMatchObject({ ok: false, error: { code: 'REFUSED' } })
  await lectern.call('accounts.check', { id, callId: 'check-after-refusal' })
  expect(received(fresh)).toEqual([])
})

test.each(['clearing the key', 'moving the account', 'removing the account', 'erasing everything'])(
  'reports no success for %s without the session bus, and sends nothing elsewhere',
  async (what) => {
    const { id } = await accountAt(old, keyOfOld)
    const gone = { ok: false, trouble: 'absent' } as const
    await lectern.stop()
    const away = {
      ...keychain,
      get: async () => gone,
      set: async () => gone,
      delete: async () => gone,
    }
    lectern = await testApp({ home: lectern.home, keychain: away })
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      'clearing the key': () => lectern.raw('accounts.clearKey', { id }),
      'moving the account': () => move(id, fresh),
      'removing the account': () => lectern.raw('accounts.remove', { id }),
      'erasing everything': () => lectern.raw('app.eraseAll', { confirm: 'erase everything' }),
    }
    expect(await calls[what]?.()).toMatchObject({
      ok: false,
      error: { code: 'KEYCHAIN_UNAVAILABLE' },
    })
    await lectern.stop()
    lectern = await testApp({ home: lectern.home, keychain })
    await lectern.raw('accounts.check', { id, callId: 'check-with-bus' })
    expect(received(fresh)).toEqual([])
  },
)
