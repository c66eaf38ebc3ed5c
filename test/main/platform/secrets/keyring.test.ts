import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { eventually } from '../../../fixtures/eventually.ts'
import { createKeyring, type OpenEntry } from '../../../../src/main/platform/secrets/keyring.ts'
import { classifyProblem } from '../../../../src/main/platform/secrets/keychain-errors.ts'

const child = fileURLToPath(new URL('keyring-child.ts', import.meta.url))
const canary = 'canary0123456789abcdef.KEYRING9876'
const entryName = { service: 'Lectern tests', account: 'a' }

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-keyring-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

interface Step {
  readonly step: string
  readonly result: unknown
}

/** Runs the steps in a separate D-Bus session, after `before` (a shell line that starts a daemon, or nothing). */
function inSession(before: string, steps: readonly string[]): Promise<Step[]> {
  const line = `${before} exec "$0" "$@"`
  return run('dbus-run-session', ['--', 'sh', '-c', line, process.execPath, child, ...steps])
}

function run(
  program: string,
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
): Promise<Step[]> {
  const { DBUS_SESSION_BUS_ADDRESS: _outer, DISPLAY: _display, ...env } = process.env
  return new Promise((resolve, reject) => {
    execFile(
      program,
      [...args],
      {
        timeout: 60_000,
        env: {
          ...env,
          ...more,
          HOME: folder,
          XDG_DATA_HOME: folder,
          XDG_RUNTIME_DIR: folder,
          XDG_CACHE_HOME: folder,
        },
      },
      (error, stdout, stderr) => {
        const lines = stdout.split('\n').filter((text) => text.startsWith('{'))
        if (lines.length < 1)
          reject(new Error(`${error?.message ?? 'nothing was said'}\n${stderr}`))
        else resolve(lines.map((text) => JSON.parse(text) as Step))
      },
    )
  })
}

const unlocked = 'printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1;'
const locked = 'gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1;'

describe('a real gnome-keyring', () => {
  test('stores a key between two runs, returns it and deletes it', async () => {
    const first = await inSession(unlocked, ['status', `set:${canary}`, 'read'])
    expect(first).toEqual([
      {
        step: 'status',
        result: {
          present: false,
          backend: 'none',
          store: 'Secret Service',
          last4: null,
          trouble: null,
        },
      },
      {
        step: 'set',
        result: {
          present: true,
          backend: 'keychain',
          store: 'Secret Service',
          last4: '9876',
          trouble: null,
        },
      },
      { step: 'read', result: canary },
    ])
    const second = await inSession(unlocked, [
      'status',
      'registered',
      'clear',
      'status',
      'raw',
      'clear',
    ])
    expect(second[0]?.result).toMatchObject({ present: true, backend: 'keychain', last4: '9876' })
    // Registered with the redactor as soon as it was read, before it was returned.
    expect(second[1]?.result).toEqual([canary])
    expect(second[2]?.result).toBeNull()
    expect(second[3]?.result).toMatchObject({ present: false, backend: 'none' })
    expect(second[4]?.result).toEqual({ ok: true, value: null })
    expect(second[5]?.result).toBeNull()
  })

  test('is encrypted: the key is in no file', async () => {
    await inSession(unlocked, [`set:${canary}`])
    // The session deletes its sockets while the folder is being read.
    const entries = await eventually(() =>
      readdir(folder, { recursive: true, withFileTypes: true }),
    )
    const files = entries.filter((entry) => entry.isFile())
    expect(files.map(({ name }) => name)).toContain('login.keyring')
    for (const { parentPath, name } of files) {
      expect((await readFile(join(parentPath, name))).includes(canary)).toBe(false)
    }
  })

  test('that is locked: reports it, keeps a new key for the session, never reports it missing', async () => {
    await inSession(unlocked, [`set:${canary}`])
    const steps = await inSession(locked, [
      'status',
      'read',
      'clear',
      'set:session-key-0123456789',
      'read',
    ])
    expect(steps[0]?.result).toMatchObject({ present: false, backend: 'none', trouble: 'locked' })
    expect(steps[1]?.result).toMatchObject({ thrown: { code: 'KEYCHAIN_LOCKED', retriable: true } })
    expect(steps[2]?.result).toMatchObject({ thrown: { code: 'KEYCHAIN_LOCKED' } })
    expect(steps[3]?.result).toMatchObject({ backend: 'session', trouble: 'locked', last4: '6789' })
    expect(steps[4]?.result).toBe('session-key-0123456789')
    expect(JSON.stringify(steps)).not.toContain(canary)
    const later = await inSession(unlocked, ['raw'])
    expect(later[0]?.result).toMatchObject({
      ok: true,
      value: expect.stringContaining(canary),
    })
  })
})

test('without D-Bus: keeps the key for this session and reports the reason', async () => {
  const steps = await run(process.execPath, [
    child,
    'status',
    `set:${canary}`,
    'read',
    'clear',
    'read',
  ])
  expect(steps[0]?.result).toMatchObject({ present: false, backend: 'none', trouble: 'absent' })
  expect(steps[1]?.result).toMatchObject({ present: true, backend: 'session', trouble: 'absent' })
  expect(steps[2]?.result).toBe(canary)
  expect(steps[3]?.result).toBeNull()
  expect(steps[4]?.result).toBeNull()
})

test('a lost bus does not prove that the key is deleted: clearing fails, and the key remains', async () => {
  await inSession(unlocked, [`set:${canary}`])
  const env = { DBUS_SESSION_BUS_ADDRESS: `unix:path=${join(folder, 'no-bus')}` }
  const away = await run(process.execPath, [child, 'status', 'clear', 'read'], env)
  expect(away[0]?.result).toMatchObject({ present: false, trouble: 'disconnected' })
  expect(away[1]?.result).toMatchObject({ thrown: { code: 'KEYCHAIN_UNAVAILABLE' } })
  expect(away[2]?.result).toMatchObject({ thrown: { code: 'KEYCHAIN_UNAVAILABLE' } })
  const none = await run(process.execPath, [child, 'clear'])
  expect(none[0]?.result).toMatchObject({ thrown: { code: 'KEYCHAIN_UNAVAILABLE' } })
  const later = await inSession(unlocked, ['read', 'clear', 'raw'])
  expect(later.map(({ result }) => result)).toEqual([canary, null, { ok: true, value: null }])
})

describe('a misbehaving keychain', () => {
  const entry =
    (work: () => Promise<never>): OpenEntry =>
    async () => ({
      getPassword: work,
      setPassword: work,
      deletePassword: work,
    })

  test('treats a prompt without an answer as locked', async () => {
    vi.useFakeTimers()
    try {
      const hung = createKeyring({
        platform: 'linux',
        patience: { get: 30, set: 40, delete: 50 },
        open: entry(() => new Promise<never>(() => {})),
      })
      for (const [patience, call] of [
        [30, () => hung.get(entryName)],
        [40, () => hung.set(entryName, canary)],
        [50, () => hung.delete(entryName)],
      ] as const) {
        let outcome: unknown
        void call().then((result) => (outcome = result))
        await vi.advanceTimersByTimeAsync(patience - 1)
        expect(outcome).toBeUndefined()
        await vi.advanceTimersByTimeAsync(1)
        expect(outcome).toMatchObject({ ok: false, trouble: 'locked' })
      }
    } finally {
      vi.useRealTimers()
    }
  })

  test('treats a library that cannot be loaded as absent', async () => {
    const broken = createKeyring({
      platform: 'linux',
      open: async () => {
        throw new Error(
          'Cannot find native binding. npm has a bug related to optional dependencies',
        )
      },
    })
    expect(await broken.get(entryName)).toEqual({ ok: false, trouble: 'absent' })
  })

  test('does not pass on an error that contains the key', async () => {
    const leaking = createKeyring({
      platform: 'linux',
      open: entry(async () => {
        throw new Error(`could not store ${canary}`)
      }),
    })
    const results = [
      await leaking.get(entryName),
      await leaking.set(entryName, canary),
      await leaking.delete(entryName),
    ]
    for (const result of results) expect(result).toEqual({ ok: false, trouble: 'failed' })
    expect(JSON.stringify(results)).not.toContain(canary)
  })

  test.each([
    ['Platform failure: DBus error: Using X11 for dbus-daemon autolaunch was disabled', 'absent'],
    ['Platform failure: DBus error: Failed to connect to socket /run/bus: Refused', 'disconnected'],
    ['Platform failure: DBus error: Connection is closed', 'disconnected'],
    ['Platform failure: DBus error: Did not receive a reply. Possible causes include', 'noReply'],
    ['DBus error: The name org.freedesktop.secrets was not provided by any .service', 'absent'],
    ["Couldn't access platform storage: Secret Service: no result found", 'absent'],
    ["Couldn't access platform storage: Secret Service: unlock prompt was dismissed", 'locked'],
    ['User interaction is not allowed.', 'locked'],
    ['User canceled the operation.', 'locked'],
    ['A default keychain could not be found.', 'absent'],
    ['A specified logon session does not exist. no such logon session', 'absent'],
    ['Something else', 'failed'],
  ])('classifies %j as %s', (words, trouble) => {
    expect(classifyProblem(new Error(words))).toBe(trouble)
  })

  test('uses the familiar name of each system’s store', () => {
    const name = (platform: string): string => createKeyring({ platform }).store
    expect([name('linux'), name('darwin'), name('win32')]).toEqual([
      'Secret Service',
      'Keychain',
      'Credential Manager',
    ])
  })
})
