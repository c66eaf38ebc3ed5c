import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { Agent, request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isPublicAddress } from '../../../../src/main/platform/security/addresses.ts'
import {
  fetchRemote,
  pinnedLookup,
  readCapped,
  remoteCaps,
  type HostAddress,
  type PinnedGet,
} from '../../../../src/main/platform/security/remote-fetch.ts'

describe('addresses', () => {
  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.0.0.1',
    '100.64.0.1',
    '100.127.255.255',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '192.0.0.8',
    '192.0.2.1',
    '192.88.99.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '0:0:0:0:0:ffff:a00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::8.8.8.8',
    '64:ff9b:1::a00:1',
    '100::1',
    '2001::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2600::1%eth0',
    'localhost',
    '127.1',
    '0x7f000001',
    '2130706433',
    '',
  ])('%s is not a public host', (address) => {
    expect(isPublicAddress(address)).toBe(false)
  })

  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '198.17.255.255',
    '198.20.0.1',
    '223.255.255.255',
    '2600::1',
    '2606:4700:4700::1111',
    '2a00:1450:4001:81b::200e',
  ])('%s is a public host', (address) => {
    expect(isPublicAddress(address)).toBe(true)
  })

  test('no private IPv4 address is public in any of its IPv6 forms', () => {
    const privateV4 = fc.oneof(
      fc.tuple(fc.constantFrom(10, 127), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
    )
    fc.assert(
      fc.property(privateV4, ([a, b, c, d]) => {
        const dotted = `${a}.${b}.${c}.${d}`
        const hex = `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
        const dresses = [
          dotted,
          `::ffff:${dotted}`,
          `::ffff:${hex}`,
          `::${dotted}`,
          `64:ff9b::${hex}`,
          `2002:${hex}::1`,
        ]
        return dresses.every((address) => !isPublicAddress(address))
      }),
    )
  })
})

const publicHost: readonly HostAddress[] = [{ address: '93.184.215.14', family: 4 }]
const imageReply = (body = 'picture'): Awaited<ReturnType<PinnedGet>> => ({
  status: 200,
  headers: new Headers({ 'content-type': 'image/png' }),
  body: new Response(body).body,
})
const moved = (location: string): Awaited<ReturnType<PinnedGet>> => ({
  status: 302,
  headers: new Headers({ location }),
  body: null,
})

describe('a fetch of a URL from content', () => {
  test.each([
    'file:///etc/passwd',
    'data:image/png,x',
    'ftp://example.com/x.png',
    'https://user@example.com/x.png',
    'https://example.com:22/x.png',
    'http://127.0.0.1/x.png',
    'http://127.1/x.png',
    'http://0x7f.1/x.png',
    'http://2130706433/x.png',
    'http://[::1]/x.png',
    'http://[::ffff:127.0.0.1]/x.png',
    'http://169.254.169.254/latest/meta-data',
    'http://１２７.０.０.１/x.png',
    'nonsense',
  ])('%s is refused before any request', async (url) => {
    let requestCount = 0
    const deps = {
      resolve: async () => {
        requestCount++
        return publicHost
      },
      get: async () => {
        requestCount++
        return imageReply()
      },
    }
    await expect(fetchRemote(url, deps)).rejects.toMatchObject({ code: 'REFUSED' })
    expect(requestCount).toBe(0)
  })

  test('refuses a name that resolves to a private address, or to one among others', async () => {
    for (const addresses of [
      [{ address: '10.0.0.1', family: 4 }],
      [...publicHost, { address: '192.168.0.1', family: 4 }],
      [...publicHost, { address: '::1', family: 6 }],
      [],
    ] as readonly HostAddress[][]) {
      const deps = { resolve: async () => addresses, get: async () => imageReply() }
      await expect(fetchRemote('https://evil.example/x.png', deps)).rejects.toMatchObject({
        code: 'REFUSED',
        params: { problem: 'remoteHost' },
      })
    }
  })

  test('a name that resolves differently the second time is resolved once, and pinned', async () => {
    let resolveCount = 0
    const used: string[] = []
    const thing = await fetchRemote('https://rebind.example/x.png', {
      resolve: async () =>
        resolveCount++ === 0 ? publicHost : [{ address: '127.0.0.1', family: 4 }],
      get: async (_url, { pinned }) => {
        used.push(...pinned.map(({ address }) => address))
        return imageReply()
      },
    })
    expect(Buffer.from(thing.bytes).toString()).toBe('picture')
    expect(resolveCount).toBe(1)
    expect(used).toEqual(['93.184.215.14'])
  })

  test('checks each redirect from the start', async () => {
    const hosts: Record<string, readonly HostAddress[]> = {
      'a.example': publicHost,
      'inside.example': [{ address: '10.1.2.3', family: 4 }],
    }
    const through = (location: string): Promise<unknown> => {
      let gets = 0
      return fetchRemote('https://a.example/x.png', {
        resolve: async (host) => hosts[host] ?? [],
        get: async () => (gets++ === 0 ? moved(location) : imageReply()),
      })
    }
    await expect(through('/y.png')).resolves.toMatchObject({ url: 'https://a.example/y.png' })
    for (const location of [
      'https://inside.example/',
      'http://127.0.0.1/',
      'file:///etc/passwd',
      'javascript:1',
    ])
      await expect(through(location)).rejects.toMatchObject({ code: 'REFUSED' })
    const endless = { resolve: async () => publicHost, get: async () => moved('/again') }
    await expect(fetchRemote('https://a.example/', endless)).rejects.toMatchObject({
      code: 'REFUSED',
    })
  })

  test('distinguishes other types and refusals', async () => {
    const answered = (status: number, type: string): Promise<unknown> =>
      fetchRemote('https://a.example/', {
        resolve: async () => publicHost,
        get: async () => ({
          ...imageReply(),
          status,
          headers: new Headers({ 'content-type': type }),
        }),
      })
    for (const type of ['text/html', 'image/svg+xml', 'application/pdf', ''])
      await expect(answered(200, type)).rejects.toMatchObject({ code: 'REFUSED' })
    await expect(answered(404, 'image/png')).rejects.toMatchObject({ code: 'SERVICE_FAILED' })
  })

  test('a stop is CANCELLED, an unreachable host OFFLINE', async () => {
    const stop = new AbortController()
    const waiting = fetchRemote(
      'https://a.example/',
      {
        resolve: async () => publicHost,
        get: (_url, { signal }) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => reject(new Error('aborted'))),
          ),
      },
      stop.signal,
    )
    stop.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' })
    const dead = {
      resolve: async () => {
        throw new Error('ENOTFOUND secret-host')
      },
      get: async () => imageReply(),
    }
    await expect(fetchRemote('https://a.example/', dead)).rejects.toMatchObject({ code: 'OFFLINE' })
  })

  test('cuts an endless body at the limit, whatever was declared', async () => {
    let cancelled = false
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1024 * 1024
        controller.enqueue(new Uint8Array(1024 * 1024))
      },
      cancel() {
        cancelled = true
      },
    })
    await expect(readCapped(endless, remoteCaps.bytes)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
    })
    expect(cancelled).toBe(true)
    expect(sent).toBeLessThan(remoteCaps.bytes + 4 * 1024 * 1024)
  })
})

describe('the pinned address', () => {
  let server: Server
  beforeAll(async () => {
    server = createServer((call, reply) => reply.end(call.headers.host))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })
  afterAll(() => void server.close())

  test('is used by the socket, under the requested name', async () => {
    const { port } = server.address() as AddressInfo
    const agent = new Agent({
      connect: { lookup: pinnedLookup([{ address: '127.0.0.1', family: 4 }]) },
    })
    const reply = await request(`http://name-that-does-not-exist.example:${port}/`, {
      dispatcher: agent,
    })
    expect(await reply.body.text()).toBe(`name-that-does-not-exist.example:${port}`)
    await agent.close()
  })
})
