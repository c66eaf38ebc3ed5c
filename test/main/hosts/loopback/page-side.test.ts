import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { PushedEvent, Transport } from '../../../../src/shared/contract/transport.ts'
import type { LoopbackServer } from '../../../../src/main/hosts/loopback/server.ts'
import { ask, enter, hostOf, openServer, type NotedApp } from './fixture.ts'

type LoopbackState = 'open' | 'reconnecting' | 'closed' | 'signed-out'
interface LoopbackTransport extends Transport {
  readonly state: LoopbackState
  onState(listener: (state: LoopbackState) => void): () => void
}
// Imported by URL: the page's files use the types of browser globals, which tests of main do not have.
const page = new URL('../../../../src/renderer/src/lib/bridge/loopback-bridge.ts', import.meta.url)
  .href
const { connectLoopback }: { connectLoopback(): Promise<LoopbackTransport> } = await import(page)

// The page's side of the bridge against the real server. Headers that a browser adds to a socket are added by hand.
let app: NotedApp
let server: LoopbackServer
let port = 0
let cookie = ''
let key: string | null = ''
const sockets: WebSocket[] = []

beforeEach(async () => {
  ;({ app, server } = await openServer())
  port = server.port
  ;({ cookie, key } = await enter(server))
  class PageSocket extends WebSocket {
    constructor(address: string, protocols: string[]) {
      super(address, protocols, {
        headers: { cookie, host: hostOf(port), origin: server.origin },
      })
      this.on('error', () => {})
      sockets.push(this)
    }
  }
  vi.stubGlobal('location', { origin: `http://127.0.0.1:${port}` })
  vi.stubGlobal('WebSocket', PageSocket)
  vi.stubGlobal('sessionStorage', { getItem: () => key })
  vi.stubGlobal('fetch', async (path: string, init: { method: string; headers: object }) => {
    const headers = { cookie, ...init.headers }
    const reply = await ask(port, path, { method: init.method, headers })
    return { status: reply.status, ok: reply.status === 200 }
  })
})
afterEach(async () => {
  await server.close()
  for (const socket of sockets.splice(0)) socket.terminate()
  vi.unstubAllGlobals()
})

test('sends requests, receives events, and unsubscribes', async () => {
  const bridge = await connectLoopback()
  expect(bridge.state).toBe('open')
  expect(await bridge.request('app.info', { a: '汉' })).toEqual({ ok: true, data: { a: '汉' } })
  const received: PushedEvent[] = []
  const stop = bridge.on((event) => void received.push(event))
  const event: PushedEvent = { channel: 'app', event: { type: 'accounts.changed' } }
  for (const connection of app.connected.values()) connection.push(event)
  await expect.poll(() => received).toEqual([event])
  stop()
  for (const connection of app.connected.values()) connection.push(event)
  await bridge.request('x', {})
  expect(received).toHaveLength(1)
})

test('fails pending requests on a lost connection, reconnects, and requests a reload', async () => {
  const bridge = await connectLoopback()
  const received: string[] = []
  const states: LoopbackState[] = []
  bridge.on(({ event }) => void received.push('type' in event ? event.type : ''))
  bridge.onState((state) => void states.push(state))
  const pending = bridge.request('slow', {})
  await expect.poll(() => app.requests.length).toBe(1)
  sockets[0]?.terminate()
  expect(await pending).toMatchObject({ ok: false, error: { code: 'INTERNAL', retriable: true } })
  expect(await bridge.request('app.info', {})).toMatchObject({
    ok: false,
    error: { code: 'INTERNAL' },
  })
  await expect.poll(() => bridge.state).toBe('open')
  expect(states).toEqual(['reconnecting', 'open'])
  expect(received).toEqual(['settings.changed', 'accounts.changed', 'library.changed'])
  expect(await bridge.request('app.info', {})).toMatchObject({ ok: true })
})

test('reports once that Lectern was closed, and stops reconnecting', async () => {
  const bridge = await connectLoopback()
  await server.close()
  await expect.poll(() => bridge.state).toBe('closed')
  expect(await bridge.request('app.info', {})).toMatchObject({ ok: false })
  const before = sockets.length
  await new Promise((resolve) => setTimeout(resolve, 600))
  expect(sockets).toHaveLength(before)
})

test('reports that a restarted Lectern does not know this tab', async () => {
  const bridge = await connectLoopback()
  cookie = 'lectern-0=x'
  sockets[0]?.terminate()
  await expect.poll(() => bridge.state).toBe('signed-out')
})

test('reports a manually opened tab with a cookie but no key, and sends no request', async () => {
  key = null
  const bridge = await connectLoopback()
  expect(bridge.state).toBe('signed-out')
  expect(await bridge.request('app.info', {})).toMatchObject({ ok: false })
  expect(sockets).toHaveLength(0)
})

test('also reports a key of an earlier start, even while the cookie is valid', async () => {
  key = 'x'.repeat(43)
  const bridge = await connectLoopback()
  await expect.poll(() => bridge.state).toBe('signed-out')
})

test('refuses values that cannot be serialized in the same form', async () => {
  const bridge = await connectLoopback()
  const circle: Record<string, unknown> = {}
  circle['self'] = circle
  expect(await bridge.request('app.info', circle)).toMatchObject({
    ok: false,
    error: { code: 'INTERNAL', retriable: false },
  })
  expect(await bridge.request('app.info', {})).toMatchObject({ ok: true })
})

test('refuses a request that is too long in the page, and continues with the others', async () => {
  const bridge = await connectLoopback()
  const waiting = bridge.request('slow', {})
  expect(await bridge.request('app.info', { text: 'x'.repeat(1024 * 1024) })).toMatchObject({
    ok: false,
    error: { code: 'INTERNAL', retriable: false },
  })
  expect(await waiting).toMatchObject({ ok: true })
  expect(sockets).toHaveLength(1)
})
