import { encode } from '@msgpack/msgpack'
import { afterEach, expect, test } from 'vitest'
import { maxCallBytes, type PushedEvent } from '../../../../src/shared/contract/transport.ts'
import { bridgeBounds } from '../../../../src/main/hosts/loopback/bridge.ts'
import type { LoopbackServer } from '../../../../src/main/hosts/loopback/server.ts'
import {
  ask,
  call,
  closeCode,
  enter,
  hostOf,
  nextFrame,
  openServer,
  pageSocket,
} from './fixture.ts'

const servers: LoopbackServer[] = []
const open: typeof openServer = async (options) => {
  const opened = await openServer(options)
  servers.push(opened.server)
  return opened
}
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const events = (json: string): PushedEvent => ({
  channel: 'stream',
  event: { streamId: 'stream-1', seq: 0, type: 'events', batch: { first: 0, count: 1, json } },
})

test('answers requests by their number, in any order of completion', async () => {
  const { app, server } = await open()
  const socket = await pageSocket(server)
  socket.send(call(1, 'slow', { a: 1 }))
  socket.send(call(2, 'fast', { b: '汉字', none: undefined }))
  expect(await nextFrame(socket)).toMatchObject({ t: 'res', id: 2, reply: { ok: true } })
  expect(await nextFrame(socket)).toMatchObject({ t: 'res', id: 1, reply: { data: { a: 1 } } })
  expect(app.requests.map(({ route }) => route)).toEqual(['slow', 'fast'])
  expect(new Set(app.requests.map(({ connection }) => connection)).size).toBe(1)
  socket.close()
})

test('pushes events to their page, and forgets a closed page', async () => {
  const { app, server } = await open()
  const first = await pageSocket(server)
  const second = await pageSocket(server)
  expect(app.connected.size).toBe(2)
  const frames = Promise.all([nextFrame(first), nextFrame(second)])
  for (const connection of app.connected.values()) connection.push(events('一'))
  for (const frame of await frames) expect(frame).toEqual({ t: 'push', event: events('一') })
  first.close()
  await expect.poll(() => app.connected.size).toBe(1)
  second.close()
})

/** Nests these headers in each other. */
const nested = (levels: number, head: readonly number[]): Uint8Array =>
  Buffer.concat(Array.from({ length: levels }, () => Buffer.from(head)))

/** A complete request whose payload is a nested list of this depth. */
const deepCall = (levels: number): Uint8Array => {
  const shallow = encode({ t: 'req', id: 1, route: 'fast', payload: [] })
  return Buffer.concat([shallow.subarray(0, -1), nested(levels - 1, [0x91]), Buffer.from([0x90])])
}

test('answers requests nested as deeply as any real one', async () => {
  const { server } = await open()
  const socket = await pageSocket(server)
  socket.send(deepCall(20))
  expect(await nextFrame(socket)).toMatchObject({ id: 1, reply: { ok: true } })
  socket.close()
})

test.each([
  ['text', 'hello'],
  ['a number instead of a map', encode(7)],
  ['invalid bytes', new Uint8Array([0xc1, 0xff, 0x00])],
  ['a message of another type', encode({ t: 'res', id: 1, reply: {} })],
  ['an invalid ID', encode({ t: 'req', id: 'x', route: 'a', payload: {} })],
  ['an invalid route', encode({ t: 'req', id: 1, route: {}, payload: {} })],
  // The key is written out: as a literal it would set the prototype instead.
  [
    'a prototype key',
    encode(JSON.parse('{"t":"req","id":1,"route":"a","payload":{"__proto__":1}}')),
  ],
  [
    'lists that declare more items than they have, 40 levels deep',
    nested(40, [0xdd, 0x01, 0xc9, 0xc3, 0x80]),
  ],
  ['lists that declare all remaining bytes as items', nested(3000, [0xdd, 0x00, 0x00, 0x10, 0x00])],
  ['a map that declares more entries than it has', [0xdf, 0xff, 0xff, 0xff, 0xff]],
  ['a million nested levels', new Uint8Array(1_000_000).fill(0x91)],
  ['a request with a deeply nested payload', deepCall(200)],
  ['a date', encode({ t: 'req', id: 1, route: 'a', payload: new Date(0) })],
  ['bytes', encode({ t: 'req', id: 1, route: 'a', payload: new Uint8Array(9) })],
  ['a request with trailing data', [...encode({ t: 'req', id: 1, route: 'a', payload: {} }), 0]],
  ['a truncated request', encode({ t: 'req', id: 1, route: 'a', payload: {} }).subarray(0, -1)],
] as const)('closes a socket that sends %s, and serves the others', async (_name, bytes) => {
  const { app, server } = await open()
  const good = await pageSocket(server)
  const bad = await pageSocket(server)
  const code = closeCode(bad)
  bad.send(typeof bytes === 'string' ? bytes : Buffer.from(bytes))
  expect(await code).toBe(4400)
  good.send(call(1, 'fast', {}))
  expect(await nextFrame(good)).toMatchObject({ id: 1 })
  expect(app.requests.map(({ route }) => route)).toEqual(['fast'])
  good.close()
})

test('refuses a frame that is longer than any request', async () => {
  const { app, server } = await open()
  const socket = await pageSocket(server)
  const code = closeCode(socket)
  socket.send(new Uint8Array(maxCallBytes + 1))
  expect(await code).toBe(1009)
  expect(app.requests).toHaveLength(0)
})

test('answers too many parallel requests with a failure', async () => {
  const { server } = await open({ bounds: { ...bridgeBounds, calls: 2 } })
  const socket = await pageSocket(server)
  for (const id of [1, 2, 3]) socket.send(call(id, 'slow', {}))
  expect(await nextFrame(socket)).toMatchObject({ id: 3, reply: { error: { code: 'REFUSED' } } })
  expect(await nextFrame(socket)).toMatchObject({ id: 1, reply: { ok: true } })
  socket.close()
})

test('disconnects a page that does not read, without filling the memory', async () => {
  const { app, server } = await open({ bounds: { ...bridgeBounds, buffered: 256 * 1024 } })
  const socket = await pageSocket(server)
  const code = closeCode(socket)
  socket.pause()
  const [connection] = app.connected.values()
  let pushed = 0
  while (app.connected.size > 0 && pushed++ < 2000) {
    connection?.push(events('x'.repeat(64 * 1024)))
    if (pushed % 16 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  }
  expect(app.connected.size).toBe(0)
  expect(pushed).toBeLessThan(2000)
  socket.resume()
  expect([4008, 1006]).toContain(await code)
})

test('delivers a reply over the buffer limit to a reading page, and the messages after it', async () => {
  const { app, server } = await open()
  const large = 'x'.repeat(3 * bridgeBounds.buffered)
  Object.assign(app, {
    request: async () => ({ ok: true, data: large }),
  })
  const socket = await pageSocket(server)
  const frames: unknown[] = []
  socket.on('message', (bytes: Buffer) => frames.push(bytes.length))
  socket.send(call(1, 'large', {}))
  await expect.poll(() => app.connected.size).toBe(1)
  const [connection] = app.connected.values()
  // Events occur while it is being sent.
  for (let n = 0; n < 20; n++) {
    connection?.push(events(`${n}`))
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await expect.poll(() => frames.length).toBe(21)
  expect(frames.some((length) => Number(length) > large.length)).toBe(true)
  socket.close()
})

test('disconnects a page that does not respond', async () => {
  const { app, server } = await open({ bounds: { ...bridgeBounds, heartbeatMs: 500 } })
  const socket = await pageSocket(server)
  let signs = 0
  socket.on('ping', () => (signs += 1))
  await expect.poll(() => signs).toBeGreaterThan(2)
  expect(app.connected.size).toBe(1)
  socket.pause()
  await expect.poll(() => app.connected.size).toBe(0)
  socket.terminate()
})

test('notifies the tabs that Lectern was closed', async () => {
  const { server } = await open()
  const socket = await pageSocket(server)
  const code = closeCode(socket)
  await server.close()
  expect(await code).toBe(4001)
})

test('streams bodies in both directions, and stops the source when the client disconnects', async () => {
  const { app, server } = await open()
  const { cookie, key } = await enter(server)
  app.answer = async (request) => new Response(await request.text(), { status: 201 })
  const big = 'é'.repeat(300_000)
  const reply = await ask(server.port, '/intake', {
    method: 'PUT',
    headers: {
      cookie,
      origin: server.origin,
      'x-lectern-key': key,
      'x-lectern-name': 'a.wav',
    },
    body: big,
  })
  expect(reply.status).toBe(201)
  expect(reply.body).toBe(big)
  expect(app.fetched[0]?.headers.get('x-lectern-name')).toBe('a.wav')
  for (const name of ['cookie', 'x-lectern-key'])
    expect(app.fetched[0]?.headers.get(name)).toBeNull()

  let cancelled = false
  let produced = 0
  app.answer = async () =>
    new Response(
      new ReadableStream<Uint8Array>({
        pull(controller) {
          produced += 65_536
          controller.enqueue(new Uint8Array(65_536))
        },
        cancel() {
          cancelled = true
        },
      }),
    )
  const { request } = await import('node:http')
  await new Promise<void>((resolve) => {
    const leaving = request(
      {
        host: '127.0.0.1',
        port: server.port,
        path: '/media/abc',
        headers: { cookie, host: hostOf(server.port) },
        agent: false,
      },
      (response) =>
        response.once('data', () => {
          response.pause()
          // Long enough for a source without backpressure to run far ahead.
          setTimeout(() => {
            leaving.destroy()
            resolve()
          }, 150)
        }),
    )
    leaving.on('error', () => {})
    leaving.end()
  })
  await expect.poll(() => cancelled).toBe(true)
  expect(produced).toBeLessThan(32 * 1024 * 1024)
  expect(app.fetched.at(-1)?.signal.aborted).toBe(true)
})

test('adds the policy to every response, and keeps the headers of the app', async () => {
  const { app, server } = await open()
  const { cookie } = await enter(server)
  app.answer = async () =>
    new Response('sound', { status: 206, headers: { 'content-range': 'bytes 0-4/9' } })
  const reply = await ask(server.port, '/media/abc', { headers: { cookie, range: 'bytes=0-4' } })
  expect(reply.status).toBe(206)
  expect(reply.headers['content-range']).toBe('bytes 0-4/9')
  expect(reply.headers['content-security-policy']).toContain("connect-src 'self'")
  expect(reply.headers['x-content-type-options']).toBe('nosniff')
  expect(app.fetched[0]?.headers.get('range')).toBe('bytes=0-4')
})

test('returns an error page without the error message when a handler throws', async () => {
  const { app, server } = await open()
  const { cookie } = await enter(server)
  app.answer = async () => {
    throw new Error('canary-secret-key')
  }
  const reply = await ask(server.port, '/', { headers: { cookie } })
  expect(reply.status).toBe(500)
  expect(JSON.stringify(reply)).not.toContain('canary')
})
