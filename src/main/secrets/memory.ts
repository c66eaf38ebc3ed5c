import type { Keychain, KeychainEntry } from './keychain.ts'

/** Keeps secrets until the process ends and nowhere else. */
export function createMemoryKeychain(): Keychain {
  const secrets = new Map<string, string>()
  const name = ({ service, account }: KeychainEntry): string => JSON.stringify([service, account])
  return {
    store: 'Memory',
    get: async (entry) => ({ ok: true, value: secrets.get(name(entry)) ?? null }),
    set: async (entry, secret) => {
      secrets.set(name(entry), secret)
      return { ok: true, value: true }
    },
    delete: async (entry) => ({ ok: true, value: secrets.delete(name(entry)) }),
  }
}
