import { createKeyring } from '../../../src/main/secrets/keyring.ts'
import { createKeys } from '../../../src/main/secrets/keys.ts'

/**
 * Runs inside a private D-Bus session: does what its arguments say with the real keyring, one JSON line each.
 * `set:KEY` and the like go through {@link createKeys}; `raw:` through the keychain alone.
 */
const keychain = createKeyring({ platform: 'linux' })
const registered: string[] = []
const keys = createKeys({ keychain, redactor: { register: (key) => void registered.push(key) } })
const account = 'account-1'

const steps: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
  set: (key) => keys.set(account, key),
  status: () => keys.status(account),
  read: () => keys.read(account),
  clear: () => keys.clear(account),
  raw: () => keychain.get(account),
  registered: async () => registered,
}

for (const argument of process.argv.slice(2)) {
  const [step = '', key = ''] = argument.split(':')
  const result = await steps[step]?.(key).catch((error: unknown) => ({
    thrown: error instanceof Error ? { ...error, message: error.message } : error,
  }))
  process.stdout.write(`${JSON.stringify({ step, result })}\n`)
}
