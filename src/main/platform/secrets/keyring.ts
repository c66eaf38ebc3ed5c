import type { AsyncEntry, EntryOptions } from '@napi-rs/keyring'
import type { Keychain, KeychainEntry, KeychainResult } from './keychain.ts'
import { classifyProblem } from './keychain-errors.ts'

/** Timeouts in milliseconds, not short because even a read may show the system's unlock prompt. */
const patience = { get: 30_000, set: 60_000, delete: 60_000 } as const

/** Product names of the OS stores, by `process.platform`. */
const storeNames: Readonly<Record<string, string>> = {
  darwin: 'Keychain',
  win32: 'Credential Manager',
}

/** The used part of @napi-rs/keyring. */
type KeyringEntry = Pick<AsyncEntry, 'getPassword' | 'setPassword' | 'deletePassword'>

/** Opens an entry; throws if there is no store. */
export type OpenEntry = (service: string, account: string) => Promise<KeyringEntry>

/**
 * Pins the store on Linux: by default the library silently falls back to the kernel's keyring and the key is lost at the next
 * reboot. The native library is loaded on the first call, not at start.
 */
const openEntry: OpenEntry = async (service, account) => {
  const { AsyncEntry: Entry } = await import('@napi-rs/keyring')
  const options: EntryOptions = { linux: { store: 'secret-service' } }
  return new Entry(service, account, options)
}

/**
 * Creates access to the OS keychain. Every call ends: one that hangs in a hidden prompt counts as `locked` after its timeout.
 */
export function createKeyring(options: {
  readonly platform: string
  readonly open?: OpenEntry
  readonly patience?: Readonly<Record<'get' | 'set' | 'delete', number>>
}): Keychain {
  const open = options.open ?? openEntry
  const wait = options.patience ?? patience

  const call = async <T>(
    { service, account }: KeychainEntry,
    milliseconds: number,
    work: (entry: KeyringEntry, signal: AbortSignal) => Promise<T>,
  ): Promise<KeychainResult<T>> => {
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const run = async (): Promise<KeychainResult<T>> => {
      try {
        const entry = await open(service, account)
        return { ok: true, value: await work(entry, stop.signal) }
      } catch (error) {
        return { ok: false, trouble: classifyProblem(error) }
      }
    }
    const running = run()
    const late = new Promise<KeychainResult<T>>((done) => {
      const givenUp = { ok: false, trouble: 'locked', unfinished: running } as const
      timer = setTimeout(() => done(givenUp), milliseconds)
    })
    try {
      return await Promise.race([running, late])
    } finally {
      clearTimeout(timer)
      stop.abort()
    }
  }

  return {
    store: storeNames[options.platform] ?? 'Secret Service',
    get: (name) =>
      call(name, wait.get, async (entry, signal) => (await entry.getPassword(signal)) ?? null),
    set: (name, secret) =>
      call(name, wait.set, async (entry, signal) => {
        await entry.setPassword(secret, signal)
        return true as const
      }),
    delete: (name) => call(name, wait.delete, (entry, signal) => entry.deletePassword(signal)),
  }
}
