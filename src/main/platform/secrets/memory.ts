import type { Keychain, KeychainEntry } from './keychain.ts'

/** Creates a keychain that stores secrets in memory only, until the process ends. */
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
