import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { createRemoteGet } from '../../../src/main/provider-client/remote-get.ts'
import { selfSigned } from '../../fixtures/self-signed.ts'
import { startScriptedServer, type ScriptedServer } from '../../fixtures/scripted-server.ts'

async function server(body: string): Promise<ScriptedServer> {
  const made = await startScriptedServer()
  made.always({ headers: { 'content-type': 'image/png' }, body })
  onTestFinished(() => made.close())
  return made
}
const here = [{ address: '127.0.0.1', family: 4 as const }]
const read = async (body: ReadableStream<Uint8Array> | null): Promise<string> =>
  new Response(body).text()

test('fetches an image from the pinned address, whatever its host name is', async () => {
  const host = await server('picture')
  const { port } = new URL(host.url)
  const remote = createRemoteGet({ proxyFor: async () => null, extraCa: async () => [] })
  const { signal } = new AbortController()
  const reply = await remote.get(`http://nowhere.invalid:${port}/a.png?x=1`, {
    pinned: here,
    signal,
  })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('image/png')
  expect(await read(reply.body)).toBe('picture')
  expect(host.requests[0]).toMatchObject({ url: '/a.png?x=1', method: 'GET' })
})

test('decompresses a compressed file and does not report the transferred length as its own', async () => {
  const host = await server('')
  host.queue({
    headers: { 'content-type': 'image/svg+xml', 'content-encoding': 'gzip' },
    body: gzipSync('picture'.repeat(100)),
    contentLength: gzipSync('picture'.repeat(100)).length,
  })
  const remote = createRemoteGet({ proxyFor: async () => null, extraCa: async () => [] })
  const reply = await remote.get(`${host.url}/a.svg`, {
    pinned: here,
    signal: AbortSignal.timeout(10_000),
  })
  expect(reply.headers.get('content-length')).toBeNull()
  expect(await read(reply.body)).toBe('picture'.repeat(100))
  expect(host.requests[0]?.headers['accept-encoding']).toBe('identity')
})

test('uses the proxy of the settings', async () => {
  const host = await server('through the proxy')
  const proxy = await startScriptedServer({
    connect: { tunnelTo: Number(new URL(host.url).port) },
  })
  onTestFinished(() => proxy.close())
  const remote = createRemoteGet({ proxyFor: async () => proxy.url, extraCa: async () => [] })
  proxy.always({ headers: { 'content-type': 'image/png' }, body: 'through the proxy' })
  const reply = await remote.get('http://pictures.example/a.png', {
    pinned: [{ address: '203.0.113.1', family: 4 }],
    signal: AbortSignal.timeout(10_000),
  })
  expect(await read(reply.body)).toBe('through the proxy')
})

test('a proxy gets the checked address without name lookup; host and certificate use the name', async () => {
  const { key, cert } = selfSigned('pictures.example')
  const host = await startScriptedServer({ tls: { key, cert } })
  host.always({ headers: { 'content-type': 'image/png' }, body: 'picture' })
  const proxy = await startScriptedServer({ connect: { tunnelTo: Number(new URL(host.url).port) } })
  onTestFinished(() => Promise.all([host.close(), proxy.close()]).then(() => undefined))
  const remote = createRemoteGet({ proxyFor: async () => proxy.url, extraCa: async () => [cert] })
  const get = (url: string) =>
    remote.get(url, {
      pinned: [{ address: '203.0.113.1', family: 4 }],
      signal: AbortSignal.timeout(10_000),
    })
  const reply = await get('https://pictures.example/a.png')
  expect(await read(reply.body)).toBe('picture')
  expect(proxy.requests.map(({ url }) => url)).toEqual(['203.0.113.1:443'])
  expect(host.requests[0]?.headers['host']).toBe('pictures.example')
  // The server at the address must be the named host.
  await expect(get('https://other.example/a.png')).rejects.toThrowError(/altnames|certificate/i)
})

test('reports a redirect without following it, and an abort ends the wait', async () => {
  const host = await server('')
  host.queue({ status: 302, headers: { location: 'http://127.0.0.1:1/' } }, { delayMs: 60_000 })
  const remote = createRemoteGet({ proxyFor: async () => null, extraCa: async () => [] })
  const reply = await remote.get(`${host.url}/a.png`, {
    pinned: here,
    signal: AbortSignal.timeout(10_000),
  })
  expect([reply.status, reply.headers.get('location')]).toEqual([302, 'http://127.0.0.1:1/'])
  await reply.body?.cancel()
  const stop = new AbortController()
  const waiting = remote.get(`${host.url}/b.png`, { pinned: here, signal: stop.signal })
  stop.abort()
  await expect(waiting).rejects.toThrowError(/abort/i)
})
