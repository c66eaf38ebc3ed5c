import { AppError } from '../../../../src/main/errors.ts'
import { createKeyring } from '../../../../src/main/platform/secrets/keyring.ts'
import { createKeys } from '../../../../src/main/platform/secrets/keys.ts'
import { openStoredKeys } from '../../../../src/main/platform/secrets/stored-keys.ts'

/**
 * Runs inside a private D-Bus session: executes its arguments with the real keyring, and prints one JSON line each.
 * `set:KEY` etc. use {@link createKeys}; `raw:` uses only the keychain.
 */
const keychain = createKeyring({ platform: 'linux' })
const registered: string[] = []
const stored = openStoredKeys(process.env['HOME'] ?? '', () => 'folder-of-test')
const keys = createKeys({
  keychain,
  stored,
  redactor: { register: (key) => void registered.push(key) },
})
const account = 'account-1'
const origin = 'https://one.example'

const steps: Readonly<Record<string, (key: string) => Promise<unknown>>> = {
  set: (key) => keys.set(account, origin, key),
  status: () => keys.status(account, origin),
  read: () => keys.read(account, origin),
  clear: () => keys.clear(account).then(() => null),
  raw: () => keychain.get({ service: stored.service, account }),
  registered: async () => registered,
}

/** Returns the fields of an error that a caller may see. */
const plain = (error: unknown): unknown =>
  error instanceof AppError
    ? { code: error.code, retriable: error.retriable, params: error.params, message: error.message }
    : String(error)

for (const argument of process.argv.slice(2)) {
  const [step = '', key = ''] = argument.split(':')
  const result = await steps[step]?.(key).catch((error: unknown) => ({ thrown: plain(error) }))
  process.stdout.write(`${JSON.stringify({ step, result })}\n`)
}
