import { createServer as createTcpServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { inspect } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AppError } from '../../../src/main/errors.ts'
import { networkError } from '../../../src/main/provider-client/network-errors.ts'
import { neverSent } from '../../../src/main/work-queue/retry-policy.ts'
import { startScriptedServer } from '../../fixtures/scripted-server.ts'
import { selfSigned } from '../../fixtures/self-signed.ts'
import { apiSetup, failureOf, forGood, testKey } from './support.ts'

/** Returns a port on which no program listens. */
async function freePort(): Promise<number> {
  const server = createTcpServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('reports an absent provider as OFFLINE after two attempts', async () => {
  const { api, target, sleeps, calls, request } = await apiSetup()
  const baseUrl = `http://127.0.0.1:${await freePort()}/api`
  const error = await failureOf(api.transcriptions.create(target({}, { baseUrl }), request(), {}))
  expect(error).toMatchObject({ code: 'OFFLINE', retriable: true, params: { reason: 'refused' } })
  expect(sleeps).toHaveLength(1)
  expect(calls.map(({ attempt, status }) => [attempt, status])).toEqual([
    [1, null],
    [2, null],
  ])
})

test('reports an unresolvable name as OFFLINE', async () => {
  const { api, target } = await apiSetup()
  const baseUrl = 'https://no-such-host.invalid/api'
  expect(await failureOf(api.connection.check(target({}, { baseUrl }), {}))).toMatchObject({
    code: 'OFFLINE',
    params: { reason: 'name', host: 'no-such-host.invalid' },
  })
})

test('reports a connection lost before the response as OFFLINE, within it as STREAM_CUT', async () => {
  const { api, server, target } = await apiSetup()
  server.queue({ dropped: true }, { body: '{"voice_list":[]}', cutAfter: 5 })
  server.queue({ body: '{"voice_list":[]}', cutAfter: 5, cutBy: 'reset' })
  server.queue({ body: '{"voice_list":[]}', contentLength: 17, cutAfter: 5 })
  const codes: string[] = []
  for (let i = 0; i < 4; i++) codes.push((await failureOf(api.connection.check(target(), {}))).code)
  expect(codes).toEqual(['OFFLINE', 'STREAM_CUT', 'STREAM_CUT', 'STREAM_CUT'])
})

test('reports a provider that does not or no longer respond as TIMEOUT with its phase', async () => {
  const { api, server, target } = await apiSetup({
    tuning: { shortCall: { replyMs: 250, idleMs: 250 } },
  })
  server.queue({ delayMs: 5000 }, { body: '{"voice', hang: true })
  const check = (): Promise<unknown> => failureOf(api.connection.check(target(), {}))
  expect(await check()).toMatchObject({ code: 'TIMEOUT', params: { phase: 'reply' } })
  expect(await check()).toMatchObject({ code: 'TIMEOUT', params: { phase: 'idle' } })
})

test('treats a peer that does not speak HTTP as malformed', async () => {
  const tcp = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.end('SSH-2.0-OpenSSH_9.9\r\n')
  })
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void tcp.close())
  const { api, target } = await apiSetup()
  const baseUrl = `http://127.0.0.1:${(tcp.address() as AddressInfo).port}`
  expect(await failureOf(api.connection.check(target({}, { baseUrl }), {}))).toMatchObject({
    code: 'MALFORMED_REPLY',
  })
})

test('rejects an untrusted certificate, and accepts it once its authority is added', async () => {
  const identity = selfSigned('127.0.0.1')
  const server = await startScriptedServer({ tls: identity })
  server.always({ body: '{"voice_list":[]}' })
  let trusted: string[] = []
  const { api, target } = await apiSetup({ server, deps: { extraCa: async () => trusted } })
  expect(await failureOf(api.connection.check(target(), {}))).toMatchObject({
    code: 'TLS_UNTRUSTED',
    retriable: false,
  })
  expect(server.requests).toEqual([])
  trusted = [identity.cert]
  await api.connection.check(target(), {})
  expect(server.requests).toHaveLength(1)
  trusted = ['-----BEGIN CERTIFICATE-----\nnonsense\n-----END CERTIFICATE-----']
  expect(await failureOf(api.connection.check(target(), {}))).toMatchObject({
    code: 'TLS_UNTRUSTED',
    params: { reason: 'ca-file' },
  })
})

test('finds a system authority automatically, without loading it each time', async () => {
  const identity = selfSigned('127.0.0.1')
  const server = await startScriptedServer({ tls: identity })
  server.always({ body: '{"text":"ok"}' })
  const sources: string[] = []
  const system = vi.spyOn(tls, 'getCACertificates').mockImplementation((source) => {
    sources.push(String(source))
    return source === 'system' ? [identity.cert] : []
  })
  onTestFinished(() => system.mockRestore())
  const { api, target, request, calls } = await apiSetup({ server })
  for (let i = 0; i < 3; i++) {
    expect((await api.transcriptions.create(target(), request(), {})).text).toBe('ok')
    // The second handshake belongs to the same attempt.
    expect(calls).toHaveLength(i + 1)
  }
  expect(sources).toEqual(['default', 'system'])
  expect(calls[0]).toMatchObject({ bytesSent: server.requests[0]?.body.length })
})

test('rejects a certificate for another name', async () => {
  const identity = selfSigned('192.0.2.1')
  const server = await startScriptedServer({ tls: identity })
  const { api, target } = await apiSetup({ server, deps: { extraCa: async () => [identity.cert] } })
  expect(await failureOf(api.connection.check(target(), {}))).toMatchObject({
    code: 'TLS_UNTRUSTED',
    params: { reason: 'ERR_TLS_CERT_ALTNAME_INVALID' },
  })
})

test.each([301, 302, 303, 307, 308])(
  'rejects a redirect (%i) to another origin, without sending the key there',
  async (status) => {
    const elsewhere = await startScriptedServer()
    onTestFinished(() => elsewhere.close())
    elsewhere.always({ body: '{"text":"stolen"}' })
    const { api, server, target, request, sleeps } = await apiSetup()
    server.always({ status, headers: { location: `${elsewhere.url}/api/paas` } })
    const error = await failureOf(api.transcriptions.create(target(), request(), {}))
    expect(error).toMatchObject({
      code: 'REDIRECTED',
      retriable: false,
      params: { host: new URL(elsewhere.url).host },
    })
    expect(elsewhere.requests).toEqual([])
    expect(elsewhere.connections()).toBe(0)
    expect(sleeps).toEqual([])
  },
)

test('sends nothing with an invalid base URL, a missing key or an invalid key', async () => {
  const { api, server, target } = await apiSetup()
  const check = (more: object): Promise<unknown> =>
    failureOf(api.connection.check(target({}, more), {}))
  for (const baseUrl of ['', 'ftp://x', 'http://example.com/api', 'https://user:pw@example.com'])
    expect(await check({ baseUrl })).toMatchObject({ code: 'BASE_URL_REFUSED' })
  expect(await check({ key: '' })).toMatchObject({ code: 'NO_KEY' })
  expect(await check({ key: 'abcdefgh\r\nx: y' })).toMatchObject({ code: 'KEY_REJECTED' })
  expect(server.connections()).toBe(0)
})

test('sends calls through the proxy set for the URL', async () => {
  const proxy = await startScriptedServer()
  onTestFinished(() => proxy.close())
  proxy.always({ body: '{"voice_list":[]}' })
  const sources: string[] = []
  const { api, server, target } = await apiSetup({
    deps: {
      proxyFor: async (url) => {
        sources.push(url)
        return proxy.url
      },
    },
  })
  await api.connection.check(target(), {})
  expect(sources).toEqual([`${server.url}/api/paas/v4/voice/list`])
  // A proxy gets the whole URL in the request line.
  expect(proxy.requests[0]?.url).toBe(`${server.url}/api/paas/v4/voice/list`)
  expect(server.requests).toEqual([])
})

test.each([
  ['http', 407],
  ['https', 407],
  ['https', 502],
])('reports a proxy that refuses (%s, %i) as OFFLINE', async (scheme, status) => {
  const proxy = await startScriptedServer({ connect: status })
  onTestFinished(() => proxy.close())
  proxy.always({ status })
  const { api, target } = await apiSetup({ deps: { proxyFor: async () => proxy.url } })
  const baseUrl = scheme === 'http' ? 'http://127.0.0.1:9/api' : 'https://service.invalid/api'
  expect(await failureOf(api.connection.check(target({}, { baseUrl }), {}))).toMatchObject({
    code: 'OFFLINE',
  })
})

test('sends an https call through a proxy tunnel, which never sees the key', async () => {
  const identity = selfSigned('service.invalid')
  const server = await startScriptedServer({ tls: identity })
  server.always({ body: '{"voice_list":[]}' })
  const proxy = await startScriptedServer({
    connect: { tunnelTo: Number(new URL(server.url).port) },
  })
  onTestFinished(() => proxy.close())
  const { api, target } = await apiSetup({
    server,
    deps: { proxyFor: async () => proxy.url, extraCa: async () => [identity.cert] },
  })
  await api.connection.check(target({}, { baseUrl: 'https://service.invalid/api' }), {})
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${testKey}`)
  expect(proxy.requests.map(({ method, url }) => [method, url])).toEqual([
    ['CONNECT', 'service.invalid:443'],
  ])
  expect(JSON.stringify(proxy.requests)).not.toContain(testKey)
})

test('cancels in every phase, without a retry', async () => {
  const { api, server, target, request, calls } = await apiSetup()
  server.queue({ delayMs: forGood }, { body: '{"text":', hang: true })
  const cancelled = async (requestCount: number): Promise<unknown> => {
    const stop = new AbortController()
    const call = failureOf(api.transcriptions.create(target(), request(), { signal: stop.signal }))
    await expect.poll(() => server.requests.length).toBe(requestCount)
    // The beginning of a response may arrive meanwhile.
    setTimeout(() => stop.abort(), 100)
    return call
  }
  expect(await cancelled(1)).toMatchObject({ code: 'CANCELLED' })
  expect(await cancelled(2)).toMatchObject({ code: 'CANCELLED' })
  expect(calls.map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled'])
  const signal = AbortSignal.abort()
  expect(await failureOf(api.transcriptions.create(target(), request(), { signal }))).toMatchObject(
    { code: 'CANCELLED' },
  )
  expect(server.requests).toHaveLength(2)
})

test('reports a deadline as TIMEOUT, during a request or in the queue', async () => {
  const { api, server, target, calls } = await apiSetup()
  server.always({ delayMs: forGood })
  const deadline = new AbortController()
  const check = (): Promise<unknown> =>
    failureOf(api.connection.check(target({ concurrency: 1 }), { signal: deadline.signal }))
  const timeout = { code: 'TIMEOUT', retriable: true, params: { phase: 'deadline' } }
  const both = Promise.all([check(), check()])
  await expect.poll(() => server.requests.length).toBe(1)
  // As AbortSignal.timeout does.
  deadline.abort(new DOMException('The operation timed out', 'TimeoutError'))
  const [wire, queue] = await both
  expect(wire).toMatchObject(timeout)
  expect(queue).toMatchObject(timeout)
  expect(server.requests).toHaveLength(1)
  expect(calls.map(({ errorCode }) => errorCode)).toEqual(['TIMEOUT'])
})

test('ends pending calls when the client is closed', async () => {
  const { api, server, target } = await apiSetup()
  server.queue({ hang: true, body: '{' })
  const call = failureOf(api.connection.check(target(), {}))
  await expect.poll(() => server.requests.length).toBe(1)
  await api.close()
  expect((await call).code).toMatch(/^(CANCELLED|STREAM_CUT)$/)
  expect(await failureOf(api.connection.check(target(), {}))).toMatchObject({ code: 'CANCELLED' })
})

test('reuses connections, also after an event stream', async () => {
  const { api, server, target, request } = await apiSetup()
  server.always({ body: '{"text":"ok"}' })
  await api.connection.check(target(), {})
  for (let i = 0; i < 3; i++) {
    await api.transcriptions.create(target(), request(), {})
    server.queue({ body: 'data: {"delta":"x"}\n\ndata: [DONE]\n\n' })
    await api.transcriptions.create(target(), request({ stream: true }), {})
  }
  expect(server.requests).toHaveLength(7)
  expect(server.connections()).toBeLessThanOrEqual(2)
})

test('includes neither the key nor the original error in a connection failure', async () => {
  const { api, target, calls } = await apiSetup()
  const baseUrl = `http://127.0.0.1:${await freePort()}/api`
  const error = await failureOf(api.connection.check(target({}, { baseUrl }), {}))
  expect(error.cause).toBeUndefined()
  expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(calls)).not.toContain(
    testKey,
  )
})

test('exposes errors other than network failures as bugs', () => {
  const bug = new TypeError('x is not a function')
  expect(networkError(bug, { sent: false, replied: false, host: 'h' })).toBe(bug)
})

test('never reports a request on an established connection as not sent', () => {
  const reported = (code: string, sent: boolean): unknown =>
    networkError(Object.assign(new Error('x'), { code }), { sent, replied: false, host: 'h' })
  for (const code of ['ETIMEDOUT', 'ESOCKETTIMEDOUT']) {
    expect(reported(code, false)).toMatchObject({ code: 'TIMEOUT', params: { phase: 'connect' } })
    expect(reported(code, true)).toMatchObject({ code: 'TIMEOUT', params: { phase: 'reply' } })
  }
  for (const code of ['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'ECONNREFUSED']) {
    expect(neverSent(reported(code, false) as AppError)).toBe(true)
    expect(neverSent(reported(code, true) as AppError)).toBe(false)
    expect(reported(code, true)).toMatchObject({ code: 'OFFLINE', params: { reason: 'reset' } })
  }
})
