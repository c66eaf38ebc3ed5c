import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../../../src/main/errors.ts'
import { createKeys, last4 } from '../../../../src/main/platform/secrets/keys.ts'
import type {
  Keychain,
  KeychainEntry,
  KeychainProblem,
} from '../../../../src/main/platform/secrets/keychain.ts'
import { createMemoryKeychain } from '../../../../src/main/platform/secrets/memory.ts'
import {
  openStoredKeys,
  readStoredKeys,
  type EarlierKey,
} from '../../../../src/main/platform/secrets/stored-keys.ts'

const canary = 'canary0123456789abcdef.KEYS4321'
const host = 'https://one.example'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'lectern-keys-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

let folders = 0

/** Opens the keys of a data folder like a start of the app. */
function open(keychain: Keychain, folder = home, earlier: readonly EarlierKey[] = []) {
  const stored = openStoredKeys(folder, () => `folder-${++folders}`)
  stored.firstStart(() => earlier)
  return createKeys({ keychain, stored })
}

/** A keychain with controllable failures that counts its reads. */
function moody(): Keychain & { trouble: KeychainProblem | null; gets: number } {
  const inner = createMemoryKeychain()
  const chain = {
    store: 'Secret Service',
    trouble: null as KeychainProblem | null,
    gets: 0,
    get: async (entry: KeychainEntry) => {
      chain.gets++
      return chain.trouble ? ({ ok: false, trouble: chain.trouble } as const) : inner.get(entry)
    },
    set: async (entry: KeychainEntry, key: string) =>
      chain.trouble ? ({ ok: false, trouble: chain.trouble } as const) : inner.set(entry, key),
    delete: async (entry: KeychainEntry) =>
      chain.trouble ? ({ ok: false, trouble: chain.trouble } as const) : inner.delete(entry),
  }
  return chain
}

test('reveals the last four characters only of keys that are long enough', () => {
  expect(last4('abcdefghijklmnopqrst')).toBe('qrst')
  expect(last4('abcdefghijklmnopqrs')).toBeNull()
  expect(last4('short')).toBeNull()
  expect(last4('')).toBeNull()
})

test.each(['absent', 'disconnected', 'noReply', 'locked', 'failed'] as const)(
  'a keychain that is %s leaves the key in this session, and reports why',
  async (trouble) => {
    const keychain = moody()
    keychain.trouble = trouble
    const keys = open(keychain)
    const status = await keys.set('a', host, canary)
    expect(status).toEqual({
      present: true,
      backend: 'session',
      store: 'Secret Service',
      last4: '4321',
      trouble,
    })
    expect(await keys.read('a', host)).toBe(canary)
    expect(JSON.stringify(status)).not.toContain(canary)
    // Another run does not have it.
    keychain.trouble = null
    expect(await open(keychain).read('a', host)).toBeNull()
  },
)

test('moves a session key to the keychain when it is set again', async () => {
  const keychain = moody()
  keychain.trouble = 'locked'
  const keys = open(keychain)
  await keys.set('a', host, canary)
  keychain.trouble = null
  expect(await keys.set('a', host, canary)).toMatchObject({ backend: 'keychain', trouble: null })
  expect(await open(keychain).read('a', host)).toBe(canary)
})

test('stores a separate key for each account', async () => {
  const keys = open(moody())
  await keys.set('a', host, canary)
  expect(await keys.read('b', host)).toBeNull()
  expect(await keys.status('b', host)).toMatchObject({ present: false, backend: 'none' })
})

test.each(['the same session', 'a later session'])(
  'refuses a key for an origin other than the one it was stored for, in %s',
  async (when) => {
    const keychain = moody()
    const first = open(keychain)
    await first.set('a', host, canary)
    const keys = when === 'the same session' ? first : open(keychain)
    expect(await keys.read('a', 'https://two.example')).toBeNull()
    expect(await keys.read('a', '')).toBeNull()
    expect(await keys.status('a', 'https://two.example')).toEqual({
      present: false,
      backend: 'none',
      store: 'Secret Service',
      last4: null,
      trouble: 'otherOrigin',
    })
    expect(await keys.read('a', host)).toBe(canary)
  },
)

test('binds a session-only key to its origin too', async () => {
  const keychain = moody()
  keychain.trouble = 'absent'
  const keys = open(keychain)
  await keys.set('a', host, canary)
  expect(await keys.read('a', 'https://two.example')).toBeNull()
})

test('stores separate keys for the same account in two data folders', async () => {
  const keychain = moody()
  const other = mkdtempSync(join(tmpdir(), 'lectern-keys-'))
  try {
    const first = open(keychain)
    await first.set('a', host, canary)
    const second = open(keychain, other)
    expect(await second.read('a', host)).toBeNull()
    await second.set('a', host, 'another-key-0123456789')
    await second.clear('a')
    expect(await open(keychain).read('a', host)).toBe(canary)
  } finally {
    rmSync(other, { recursive: true, force: true })
  }
})

test('migrates an entry of an earlier version with the origin of its account', async () => {
  const keychain = moody()
  const earlier = { service: 'Lectern', account: 'a' }
  await keychain.set(earlier, canary)
  const keys = open(keychain, home, [{ account: 'a', origin: host }])
  // The library may have been replaced between the first start and the first use.
  expect(await keys.read('a', 'https://two.example')).toBeNull()
  expect(await keys.read('a', host)).toBe(canary)
  expect(await keychain.get(earlier)).toEqual({ ok: true, value: null })
  expect(await open(keychain).read('a', host)).toBe(canary)
})

test('does not use an entry of an earlier version for an account added later', async () => {
  const keychain = moody()
  await keychain.set({ service: 'Lectern', account: 'a' }, canary)
  open(keychain)
  expect(await open(keychain, home, [{ account: 'a', origin: host }]).read('a', host)).toBeNull()
})

test('clearing removes an unused entry of an earlier version', async () => {
  const keychain = moody()
  const earlier = { service: 'Lectern', account: 'a' }
  await keychain.set(earlier, canary)
  await open(keychain, home, [{ account: 'a', origin: host }]).clear('a')
  expect(await keychain.get(earlier)).toEqual({ ok: true, value: null })
})

test('a key is known to the redactor before it is stored or returned', async () => {
  const seen: string[] = []
  const keychain = moody()
  const stored = openStoredKeys(home, () => 'folder-one')
  await createKeys({ keychain, stored }).set('a', host, canary)
  const set = keychain.set
  keychain.set = async (entry, secret) => {
    expect(seen).toContain('another-key-0123456789')
    return set(entry, secret)
  }
  const redactor = { register: (key: string) => void seen.push(key) }
  const keys = createKeys({ keychain, stored, redactor })
  expect(await keys.read('a', host)).toBe(canary)
  expect(seen).toEqual([canary])
  await keys.set('b', host, 'another-key-0123456789')
})

test('reads a key from the keychain once, and again only after a failure', async () => {
  const keychain = moody()
  await open(keychain).set('a', host, canary)
  const keys = open(keychain)
  keychain.trouble = 'locked'
  await expect(keys.read('a', host)).rejects.toMatchObject({ code: 'KEYCHAIN_LOCKED' })
  keychain.trouble = null
  expect(await keys.read('a', host)).toBe(canary)
  const getsBefore = keychain.gets
  await keys.read('a', host)
  await keys.status('a', host)
  expect(keychain.gets).toBe(getsBefore)
})

test.each([
  ['locked', 'KEYCHAIN_LOCKED'],
  ['failed', 'KEYCHAIN_UNAVAILABLE'],
  ['disconnected', 'KEYCHAIN_UNAVAILABLE'],
  ['noReply', 'KEYCHAIN_UNAVAILABLE'],
  // The session bus is gone, and the key was stored while it existed.
  ['absent', 'KEYCHAIN_UNAVAILABLE'],
] as const)(
  'clearing and reading fail when the keychain that contains the key is %s',
  async (trouble, code) => {
    const keychain = moody()
    await open(keychain).set('a', host, canary)
    const keys = open(keychain)
    keychain.trouble = trouble
    for (const call of [() => keys.clear('a'), () => keys.read('a', host)]) {
      const error = await call().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(AppError)
      expect(error).toMatchObject({ code, params: { store: 'Secret Service' } })
      expect(String(error)).not.toContain(canary)
    }
    keychain.trouble = null
    await keys.clear('a')
    expect(await keys.status('a', host)).toMatchObject({ present: false, backend: 'none' })
    expect(await open(keychain).read('a', host)).toBeNull()
  },
)

test('a system that never had a keychain has nothing to clear', async () => {
  const keychain = moody()
  keychain.trouble = 'absent'
  const keys = open(keychain)
  await keys.set('a', host, canary)
  await keys.clear('a')
  expect(await keys.read('a', host)).toBeNull()
})

test('lists every account with a key, including those missing in the library', async () => {
  const keychain = moody()
  const keys = open(keychain)
  await keys.set('a', host, canary)
  keychain.trouble = 'locked'
  await keys.set('b', host, canary)
  expect(keys.accounts()).toEqual(['a', 'b'])
  expect(open(keychain).accounts()).toEqual(['a', 'b'])
})

test('a key stored by a late prompt answer is known to the folder and can be cleared', async () => {
  const keychain = moody()
  const set = keychain.set
  keychain.set = async (entry, secret) => {
    await set(entry, secret)
    return { ok: false, trouble: 'locked' }
  }
  await open(keychain).set('a', host, canary)
  const later = open(keychain)
  for (const account of later.accounts()) await later.clear(account)
  expect(await later.read('a', host)).toBeNull()
})

test('the file of the folder contains no key and no part of one', async () => {
  const keychain = moody()
  const keys = open(keychain)
  await keys.set('a', host, canary)
  const path = join(home, 'keychain.json')
  expect(readFileSync(path, 'utf8')).not.toMatch(/canary|4321/)
  expect(readStoredKeys(home)?.accounts()).toEqual(['a'])
  await keys.clear('a')
  expect(readStoredKeys(home)?.accounts()).toEqual([])
})

test('remembers a key of an earlier run when a later one finds no keychain', async () => {
  const keychain = moody()
  await open(keychain).set('a', host, canary)
  const keys = open(keychain)
  keychain.trouble = 'absent'
  await keys.set('a', host, 'another-key-0123456789')
  await expect(keys.clear('a')).rejects.toMatchObject({ code: 'KEYCHAIN_UNAVAILABLE' })
  keychain.trouble = null
  await keys.clear('a')
  expect(await open(keychain).read('a', host)).toBeNull()
})

test('clearing does not report success while an open prompt may still store the key', async () => {
  const keychain = moody()
  let answer = (): void => {}
  const prompt = new Promise<void>((resolve) => (answer = resolve))
  const { set } = keychain
  keychain.set = async (entry, secret) => {
    const unfinished = prompt.then(() => set(entry, secret))
    return { ok: false, trouble: 'locked', unfinished }
  }
  const keys = open(keychain)
  await keys.set('a', host, canary)
  await expect(keys.clear('a')).rejects.toMatchObject({ code: 'KEYCHAIN_LOCKED' })
  answer()
  await prompt
  await new Promise((resolve) => setTimeout(resolve, 10))
  await keys.clear('a')
  expect(await open(keychain).read('a', host)).toBeNull()
})

test('deletes a key that is cleared while it is migrated from an earlier version', async () => {
  const keychain = moody()
  await keychain.set({ service: 'Lectern', account: 'a' }, canary)
  const keys = open(keychain, home, [{ account: 'a', origin: host }])
  const [, cleared] = await Promise.allSettled([keys.read('a', host), keys.clear('a')])
  expect(cleared.status).toBe('fulfilled')
  expect(await keys.read('a', host)).toBeNull()
  expect(await open(keychain).read('a', host)).toBeNull()
})

test('a damaged record keeps the ID of the folder', async () => {
  const keychain = moody()
  await open(keychain).set('a', host, canary)
  const path = join(home, 'keychain.json')
  writeFileSync(path, readFileSync(path, 'utf8').slice(0, -4))
  expect(await open(keychain).read('a', host)).toBe(canary)
})
