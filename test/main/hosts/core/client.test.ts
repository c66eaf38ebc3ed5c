import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import type { PushedEvent } from '../../../../src/shared/contract/transport.ts'
import { startCore, type Core, type CoreProcess } from '../../../../src/main/hosts/core/client.ts'
import { callService, describeServices } from '../../../../src/main/hosts/core/services.ts'
import type { HostServices } from '../../../../src/main/host.ts'

// The boundary between the host and the core, with a real process that can really end.
const quiet = { info() {}, warn() {}, error() {} }
const services: HostServices = {
  host: 'electron',
  home: '/home',
  version: '1.0.0',
  platform: 'linux',
  rendererDir: '/renderer',
  modelsDir: '/models',
  mediaBase: 'app://media/',
  proxyFor: async (url) => `proxy of ${url}`,
  openExternal: async () => true,
  quick: { show() {}, hide: async () => {}, leave() {} },
  shortcuts: { use: async () => 'taken' },
}
const running: ChildProcess[] = []
afterEach(() => {
  for (const child of running.splice(0)) child.kill()
})

function start(
  change: Partial<HostServices> = {},
  onGivenUp = (): void => {},
): Promise<Core<never>> {
  return startCore<never>({
    services: { ...services, ...change },
    fork() {
      const child = fork(fileURLToPath(new URL('./child.ts', import.meta.url)), [], {
        serialization: 'advanced',
      })
      running.push(child)
      const process: CoreProcess<never> = {
        // Messages to a process that just ended are lost, as in Electron.
        postMessage: (message) => void child.send(message as object, () => {}),
        on: (_event, listener) => child.on('message', listener),
        once: (_event, listener) => child.once('exit', (code) => listener(code ?? -1)),
        kill: () => child.kill('SIGKILL'),
      }
      return process
    },
    forkProgram: () => {
      throw new Error('no programs beside this process')
    },
    channel: () => {
      throw new Error('no ports between these processes')
    },
    clock: Date.now,
    log: quiet,
    onGivenUp,
  })
}
const page = { id: 'page', push: (_event: PushedEvent) => {} }

describe('core in its own process', () => {
  test('handles calls, uses the services of the host, and pushes to its connections', async () => {
    const core = await start()
    const events: PushedEvent[] = []
    const connection = { id: 'c', push: (event: PushedEvent) => void events.push(event) }
    core.connect(connection)
    expect(await core.request(connection, 'echo', { a: [1, null] })).toMatchObject({
      ok: true,
      data: { payload: { a: [1, null] } },
    })
    expect(await core.request(page, 'proxy', {})).toEqual({
      ok: true,
      data: 'proxy of https://a.example/',
    })
    expect(await core.request(page, 'quick', {})).toEqual({ ok: true, data: 'taken' })
    await core.request(connection, 'push', {})
    await expect
      .poll(() => events.map(({ event }) => 'type' in event && event.type))
      .toEqual(['accounts.changed', 'settings.changed'])
  })

  test('transfers bodies in both directions, and an endless one only as far as it is read', async () => {
    const core = await start()
    const sent = new Uint8Array(3_000_000).fill(7)
    const answer = await core.fetch(new Request('app://bundle/x', { method: 'PUT', body: sent }))
    expect([answer.status, answer.headers.get('x-method')]).toEqual([201, 'PUT'])
    expect(Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(sent))).toBe(true)

    const endless = await core.fetch(new Request('app://bundle/endless'))
    const reader = endless.body?.getReader()
    expect((await reader?.read())?.value?.[0]).toBe(1)
    await reader?.cancel()

    const long = new Request('app://bundle/x', {
      method: 'PUT',
      body: new Uint8Array(17 * 1024 * 1024),
    })
    expect((await core.fetch(long)).status).toBe(413)
  })

  test('reports why the app cannot be created', async () => {
    await expect(start({ version: 'broken' })).rejects.toThrow(
      'The database is from a later Lectern',
    )
  })

  test('fails the pending calls of a killed process, and serves the next with a new one', async () => {
    const core = await start()
    const events: PushedEvent[] = []
    core.connect({ id: 'c', push: (event) => void events.push(event) })
    const changes: string[] = []
    core.onChange((change) => void changes.push(change))
    const before = await core.request(page, 'echo', {})
    expect(await core.request(page, 'die', {})).toMatchObject({
      ok: false,
      error: { code: 'INTERNAL', retriable: true },
    })
    const after = await core.request(page, 'echo', {})
    expect(after.ok && before.ok && after.data).not.toEqual(before.ok && before.data)
    await expect.poll(() => changes).toEqual(['lost', 'back'])
    // Connected to the new one as well: each process greets its connections.
    await expect.poll(() => events.length).toBe(2)
  })

  test('gives up after the process ended repeatedly', async () => {
    let givenUp = 0
    const core = await start({}, () => void givenUp++)
    for (let times = 0; times < 3; times++) await core.request(page, 'die', {})
    await expect.poll(() => givenUp).toBe(1)
  })

  test('gives up if no new process can start, instead of leaving calls waiting forever', async () => {
    let givenUp = 0
    const home = mkdtempSync(join(tmpdir(), 'lectern-core-'))
    const core = await start({ home }, () => void givenUp++)
    writeFileSync(join(home, 'broken'), '')
    await core.request(page, 'die', {})
    expect(await core.request(page, 'echo', {})).toMatchObject({ ok: false })
    await expect.poll(() => givenUp).toBe(1)
    expect(await core.request(page, 'echo', {})).toMatchObject({ ok: false })
    rmSync(home, { recursive: true })
  })

  test('does not restart after an orderly stop', async () => {
    const core = await start()
    const changes: string[] = []
    core.onChange((change) => void changes.push(change))
    await core.stop()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(changes).toEqual([])
  })

  test('ends a killed core immediately, without a restart', async () => {
    const core = await start()
    const child = running.at(-1)
    const changes: string[] = []
    core.onChange((change) => void changes.push(change))
    core.kill()
    expect(child?.killed).toBe(true)
    if (child) await once(child, 'exit')
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(changes).toEqual([])
    expect(running).toHaveLength(1)
    await core.stop()
  })
})

test('allows only services to be called by name', async () => {
  expect(describeServices(services).functions).toEqual([
    'proxyFor',
    'openExternal',
    'quick.show',
    'quick.hide',
    'quick.leave',
    'shortcuts.use',
  ])
  for (const name of [
    'home',
    'constructor',
    'toString',
    'quick',
    'quick.toString',
    '__proto__',
    '',
  ])
    expect(() => callService(services, name, [])).toThrow(/no service/)
  expect(await callService(services, 'shortcuts.use', ['quick', 'x'])).toBe('taken')
})
