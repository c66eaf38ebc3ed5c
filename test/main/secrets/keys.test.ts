import { expect, test } from 'vitest'
import { AppError } from '../../../src/main/errors.ts'
import { createKeys, last4 } from '../../../src/main/secrets/keys.ts'
import type { Keychain, KeychainTrouble } from '../../../src/main/secrets/keychain.ts'
import { createMemoryKeychain } from '../../../src/main/secrets/memory.ts'

const canary = 'canary0123456789abcdef.KEYS4321'

/** A keychain that can be broken and mended, and counts how often it is asked. */
function moody(): Keychain & { trouble: KeychainTrouble | null; gets: number } {
  const inner = createMemoryKeychain()
  const chain = {
    store: 'Secret Service',
    trouble: null as KeychainTrouble | null,
    gets: 0,
    get: async (id: string) => {
      chain.gets++
      return chain.trouble ? ({ ok: false, trouble: chain.trouble } as const) : inner.get(id)
    },
    set: async (id: string, key: string) =>
      chain.trouble ? ({ ok: false, trouble: chain.trouble } as const) : inner.set(id, key),
    delete: async (id: string) =>
      chain.trouble ? ({ ok: false, trouble: chain.trouble } as const) : inner.delete(id),
  }
  return chain
}

test('the last four characters are told only where they give little away', () => {
  expect(last4('abcdefghijklmnopqrst')).toBe('qrst')
  expect(last4('abcdefghijklmnopqrs')).toBeNull()
  expect(last4('short')).toBeNull()
  expect(last4('')).toBeNull()
})

test.each(['absent', 'locked', 'failed'] as const)(
  'a keychain that is %s leaves the key in this session, and says why',
  async (trouble) => {
    const keychain = moody()
    keychain.trouble = trouble
    const keys = createKeys({ keychain })
    const status = await keys.set('a', canary)
    expect(status).toEqual({
      present: true,
      backend: 'session',
      store: 'Secret Service',
      last4: '4321',
      trouble,
    })
    expect(await keys.read('a')).toBe(canary)
    expect(JSON.stringify(status)).not.toContain(canary)
    // Another run knows nothing of it.
    keychain.trouble = null
    expect(await createKeys({ keychain }).read('a')).toBeNull()
  },
)

test('a key kept for the session moves to the keychain when it is set again', async () => {
  const keychain = moody()
  keychain.trouble = 'locked'
  const keys = createKeys({ keychain })
  await keys.set('a', canary)
  keychain.trouble = null
  expect(await keys.set('a', canary)).toMatchObject({ backend: 'keychain', trouble: null })
  expect(await createKeys({ keychain }).read('a')).toBe(canary)
})

test('accounts have keys of their own', async () => {
  const keys = createKeys({ keychain: moody() })
  await keys.set('a', canary)
  expect(await keys.read('b')).toBeNull()
  expect(await keys.status('b')).toMatchObject({ present: false, backend: 'none' })
})

test('a key is known to the redactor before it is stored or returned', async () => {
  const seen: string[] = []
  const keychain = moody()
  await keychain.set('a', canary)
  const set = keychain.set
  keychain.set = async (id, key) => {
    expect(seen).toContain(key)
    return set(id, key)
  }
  const keys = createKeys({ keychain, redactor: { register: (key) => void seen.push(key) } })
  expect(await keys.read('a')).toBe(canary)
  expect(seen).toEqual([canary])
  await keys.set('b', 'another-key-0123456789')
  expect(seen).toContain('another-key-0123456789')
})

test('asks the keychain once for a key it gave, and again for one it could not give', async () => {
  const keychain = moody()
  const keys = createKeys({ keychain })
  keychain.trouble = 'locked'
  await expect(keys.read('a')).rejects.toMatchObject({ code: 'KEYCHAIN_LOCKED' })
  keychain.trouble = null
  await keychain.set('a', canary)
  expect(await keys.read('a')).toBe(canary)
  const asked = keychain.gets
  await keys.read('a')
  await keys.status('a')
  expect(keychain.gets).toBe(asked)
})

test('clearing says when the key may still be there', async () => {
  const keychain = moody()
  const keys = createKeys({ keychain })
  await keys.set('a', canary)
  for (const [trouble, code] of [
    ['locked', 'KEYCHAIN_LOCKED'],
    ['failed', 'KEYCHAIN_UNAVAILABLE'],
  ] as const) {
    keychain.trouble = trouble
    const error = await keys.clear('a').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({ code, params: { store: 'Secret Service' } })
    expect(String(error)).not.toContain(canary)
  }
  keychain.trouble = null
  expect(await keys.clear('a')).toMatchObject({ present: false, backend: 'none' })
  expect(await keychain.get('a')).toEqual({ ok: true, value: null })
})
