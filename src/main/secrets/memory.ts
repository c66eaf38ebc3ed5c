import type { Keychain } from './keychain.ts'

/** Keeps keys until the process ends and nowhere else: the fallback for this session. */
export function createMemoryKeychain(): Keychain {
  const secrets = new Map<string, string>()
  return {
    store: 'Memory',
    get: async (id) => ({ ok: true, value: secrets.get(id) ?? null }),
    set: async (id, secret) => {
      secrets.set(id, secret)
      return { ok: true, value: true }
    },
    delete: async (id) => ({ ok: true, value: secrets.delete(id) }),
  }
}
