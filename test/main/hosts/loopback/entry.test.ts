import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { launchLife } from '../../../../src/main/hosts/loopback/admission.ts'
import type { LoopbackServer } from '../../../../src/main/hosts/loopback/server.ts'
import { ask, requestRaw, enter, openServer, openSocket, type NotedApp } from './fixture.ts'

let app: NotedApp
let server: LoopbackServer
let time: { now: number }
let own: string

beforeEach(async () => {
  ;({ app, server, time } = await openServer())
  own = server.origin
})
afterEach(() => server.close())

describe('a launch address', () => {
  test('admits one browser, once, with a cookie that scripts and other sites cannot use', async () => {
    const { pathname } = new URL(server.launchUrl())
    const first = await ask(server.port, pathname)
    expect(first.status).toBe(200)
    expect(first.headers['cache-control']).toBe('no-store')
    expect(first.headers['refresh']).toMatch(/^0;url=\/#k=[\w-]{43}$/)
    const [cookie = ''] = first.headers['set-cookie'] ?? []
    expect(cookie).toMatch(
      new RegExp(`^lectern-[0-9a-f]{16}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
    )
    expect(cookie).not.toContain(pathname.slice('/launch/'.length))
    const page = await ask(server.port, '/', { headers: { cookie: cookie.split(';')[0] ?? '' } })
    expect(page.status).toBe(200)

    const second = await ask(server.port, pathname)
    expect(second.status).toBe(401)
    expect(second.headers['set-cookie']).toBeUndefined()
  })

  test('is refused when it is expired, truncated, guessed or empty', async () => {
    const old = new URL(server.launchUrl()).pathname
    time.now += launchLife + 1
    const fresh = new URL(server.launchUrl()).pathname
    for (const path of [old, fresh.slice(0, -1), `${fresh}x`, '/launch/', '/launch/aaaa']) {
      expect((await ask(server.port, path)).status).toBe(401)
    }
    expect((await ask(server.port, fresh)).status).toBe(200)
  })

  test('is not consumed by another site, another host or another method', async () => {
    const { pathname } = new URL(server.launchUrl())
    const whole = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
    const tries = [
      {
        headers: { ...whole, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' },
        status: 403,
      },
      {
        headers: { ...whole, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
        status: 403,
      },
      { headers: { ...whole, origin: 'https://evil.example' }, status: 403 },
      { headers: { ...whole, host: `localhost:${server.port}` }, status: 421 },
      { headers: { 'sec-fetch-site': 'cross-site' }, status: 403 },
      { headers: { 'sec-fetch-site': 'same-site' }, status: 403 },
      { headers: { host: `localhost:${server.port}` }, status: 421 },
      { headers: { origin: 'https://evil.example' }, status: 403 },
      { method: 'HEAD', status: 405 },
    ]
    for (const { status, ...options } of tries) {
      expect((await ask(server.port, pathname, options)).status).toBe(status)
    }
    expect(
      (await ask(server.port, pathname, { headers: { 'sec-fetch-site': 'none' } })).status,
    ).toBe(200)
  })
})

test('a launch address may be opened from a file, as a top-level navigation', async () => {
  const reply = await ask(server.port, new URL(server.launchUrl()).pathname, {
    headers: {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    },
  })
  expect(reply.status).toBe(200)
})

describe('without a session', () => {
  test.each(['/', '/assets/index.js', '/media/abc', '/nothing', '/bridge', '/favicon.ico'])(
    '%s is 401, with instructions for access',
    async (path) => {
      const reply = await ask(server.port, path)
      expect(reply.status).toBe(401)
      expect(reply.body).toContain('Open the URL that Lectern printed')
      expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
      expect(app.fetched).toHaveLength(0)
    },
  )

  test('an upload is 401 and its body is not read', async () => {
    const reply = await ask(server.port, '/intake', {
      method: 'PUT',
      headers: { origin: own, 'content-length': '5' },
      body: 'hello',
    })
    expect(reply.status).toBe(401)
    expect(app.fetched).toHaveLength(0)
  })

  test('a block of a recording is 401 without all credentials of a tab', async () => {
    const { cookie, key } = await enter(server)
    const whole = { origin: own, cookie, 'x-lectern-key': key, 'x-lectern-frame': '0' }
    const put = async (headers: Record<string, string>): Promise<number> =>
      (await ask(server.port, '/capture/abc', { method: 'PUT', headers, body: 'hello' })).status
    for (const missing of ['cookie', 'x-lectern-key'] as const) {
      const { [missing]: _, ...rest } = whole
      expect(await put(rest)).toBe(401)
    }
    const { origin: _, ...nowhere } = whole
    expect(await put(nowhere)).toBe(403)
    for (const origin of ['https://evil.example', 'null', `http://127.0.0.1:${server.port + 1}`])
      expect(await put({ ...whole, origin })).toBe(403)
    expect(app.fetched).toHaveLength(0)
    expect(await put(whole)).toBe(200)
  })

  test('the bridge is 401', async () => {
    expect(await openSocket(server.port, { origin: own }, (await enter(server)).key)).toBe(401)
    expect(app.connected.size).toBe(0)
  })
})

describe('with a session', () => {
  let cookie: string
  let key: string
  beforeEach(async () => {
    ;({ cookie, key } = await enter(server))
  })

  test.each([
    ['none', null],
    ['an empty one', ''],
    ['a wrong one', 'x'.repeat(43)],
    ['the cookie', 'cookie'],
    ['a truncated one', 'cut'],
  ])('a cookie without the key of its tab (%s) can only load the page', async (_name, sentKey) => {
    const shown =
      sentKey === 'cookie'
        ? (cookie.split('=')[1] ?? '')
        : sentKey === 'cut'
          ? key.slice(0, -1)
          : sentKey
    const headers = { cookie, origin: own, ...(shown !== null && { 'x-lectern-key': shown }) }
    expect((await ask(server.port, '/', { headers: { cookie } })).status).toBe(200)
    const put = await ask(server.port, '/intake', { method: 'PUT', headers, body: 'x' })
    expect(put.status).toBe(401)
    expect(await openSocket(server.port, { cookie, origin: own }, shown)).toBe(401)
    expect(app.connected.size).toBe(0)
    expect(app.fetched.map(({ method }) => method)).toEqual(['GET'])
  })

  test('the key opens the bridge, and is not returned', async () => {
    const socket = await openSocket(server.port, { cookie, origin: own }, key)
    if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
    expect(socket.protocol).toBe('lectern')
    socket.close()
    const both = { cookie, origin: own, 'sec-websocket-protocol': `lectern-key.${key}, lectern` }
    expect(await openSocket(server.port, both, null)).toBe(401)
    expect(await openSocket(server.port, { origin: own }, key)).toBe(401)
  })

  test('a tab stays connected when another one enters', async () => {
    const other = await enter(server)
    const socket = await openSocket(server.port, { cookie: other.cookie, origin: own }, key)
    expect(socket).not.toBeTypeOf('number')
    expect(app.connected.size).toBe(1)
  })

  test.each([
    'localhost',
    'localhost:PORT',
    'lectern-000000000000000000000000.localhost:PORT',
    '127.0.0.1',
    '127.0.0.1:PORT',
    '127.0.0.1:1',
    '127.0.0.1.evil.example:PORT',
    'evil.example:PORT',
    '[::1]:PORT',
    '127.0.0.1:PORT.',
    '2130706433:PORT',
    '127.1:PORT',
    '',
  ])('refuses the Host %j: protects against DNS rebinding', async (host) => {
    const headers = { cookie, host: host.replace('PORT', String(server.port)) }
    expect((await ask(server.port, '/', { headers })).status).toBe(421)
    expect(app.fetched).toHaveLength(0)
  })

  test('refuses two Host headers, or none', async () => {
    const lines = (hosts: string): string =>
      `GET / HTTP/1.1\r\n${hosts}Cookie: ${cookie}\r\nConnection: close\r\n\r\n`
    const right = `Host: ${new URL(own).host}\r\n`
    expect(await requestRaw(server.port, lines(right))).toContain('HTTP/1.1 200')
    expect(await requestRaw(server.port, lines(`${right}Host: evil.example\r\n`))).not.toContain(
      ' 200 ',
    )
    expect(await requestRaw(server.port, lines(''))).toMatch(/HTTP\/1\.1 4(00|21)/)
    expect(app.fetched).toHaveLength(1)
  })

  test.each([
    ['cross-site', 403],
    ['same-site', 403],
    ['same-origin', 200],
    ['none', 200],
  ])('a request that the browser marks as %s is answered with %i', async (site, status) => {
    const reply = await ask(server.port, '/', { headers: { cookie, 'sec-fetch-site': site } })
    expect(reply.status).toBe(status)
  })

  test.each([
    ['no Origin', undefined, 403],
    ['null', 'null', 403],
    ['another site', 'https://evil.example', 403],
    ['another port', 'http://127.0.0.1:1', 403],
    ['another hostname of this computer', 'http://localhost:PORT', 403],
    ['the IP address of this computer', 'http://127.0.0.1:PORT', 403],
    ['another scheme', 'https://NAME:PORT', 403],
    ['its own origin', 'http://NAME:PORT', 200],
  ])('an upload with %s as Origin', async (_name, origin, status) => {
    const headers: Record<string, string> = { cookie, 'x-lectern-key': key }
    if (origin !== undefined)
      headers['origin'] = origin
        .replace('PORT', String(server.port))
        .replace('NAME', new URL(own).hostname)
    const reply = await ask(server.port, '/intake', { method: 'PUT', headers, body: 'x' })
    expect(reply.status).toBe(status)
    expect(app.fetched).toHaveLength(status === 200 ? 1 : 0)
  })

  test.each([
    ['no Origin', undefined, 403],
    ['null', 'null', 403],
    ['another site', 'https://evil.example', 403],
    ['a lookalike', 'http://NAME:PORT.evil.example', 403],
    ['another port', 'http://127.0.0.1:1', 403],
  ])('the bridge with %s as Origin', async (_name, origin, status) => {
    const headers: Record<string, string> = { cookie }
    if (origin !== undefined)
      headers['origin'] = origin
        .replace('PORT', String(server.port))
        .replace('NAME', new URL(own).hostname)
    expect(await openSocket(server.port, headers, key)).toBe(status)
    expect(app.connected.size).toBe(0)
  })

  test('the bridge has exactly one path', async () => {
    for (const path of ['/', '/bridge/', '/bridge?x', '/Bridge']) {
      expect(await openSocket(server.port, { cookie, origin: own }, key, path)).toBe(404)
    }
  })

  test('a second cookie of another program does not lock the tab out', async () => {
    const headers = { cookie: `lectern-${server.port}=x; ${cookie}` }
    expect((await ask(server.port, '/', { headers })).status).toBe(200)
  })

  test('the script of a service worker is refused, despite valid credentials', async () => {
    const headers = { cookie, 'service-worker': 'script' }
    for (const path of ['/', '/assets/x.js', '/media/abc'])
      expect((await ask(server.port, path, { headers })).status).toBe(403)
    expect(app.fetched).toHaveLength(0)
  })

  test('a page of another site is refused, even for GET', async () => {
    const headers = { cookie, origin: 'https://evil.example' }
    expect((await ask(server.port, '/', { headers })).status).toBe(403)
  })

  test('refuses the cookie of another port or run, duplicated or renamed', async () => {
    const other = await openServer()
    try {
      const foreign = (await enter(other.server)).cookie
      const value = cookie.slice(cookie.indexOf('=') + 1)
      for (const shown of [
        foreign,
        `${cookie.split('=')[0]}=${foreign.split('=')[1]}`,
        `${foreign.split('=')[0]}=${value}`,
        `${cookie}; ${cookie}`,
        `${cookie.split('=')[0]}=x; ${cookie}`,
        `${cookie.split('=')[0]?.toUpperCase()}=${value}`,
        `${cookie}x`,
        `${cookie.split('=')[0]}=`,
      ]) {
        expect((await ask(server.port, '/', { headers: { cookie: shown } })).status).toBe(401)
      }
    } finally {
      await other.server.close()
    }
  })

  test.each([
    'http://evil.example/',
    '//evil.example/',
    '/assets//index.js',
    '/assets/../index.html',
    '/assets/./x.js',
    '/..',
    '/assets/%2e%2e/x',
    '/assets%2findex.js',
    '/assets%5cindex.js',
    '/%00',
    '/%0d%0aset-cookie:x',
    '/%252e%252e/',
    '/%zz',
    '/assets\\index.js',
    '/a;b=/../c',
  ])('the target %j reaches nothing', async (target) => {
    const text = await requestRaw(
      server.port,
      `GET ${target} HTTP/1.1\r\nHost: ${new URL(own).host}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
    )
    expect(text).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(app.fetched).toHaveLength(0)
  })

  test.each([
    ['two lengths', 'Content-Length: 4\r\nContent-Length: 5\r\n'],
    ['a length and chunked encoding', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n'],
    ['a space before the colon', 'Content-Length : 4\r\n'],
    ['a folded header', 'X-A: b\r\n c\r\nContent-Length: 4\r\n'],
  ])('refuses a request with %s', async (_name, lines) => {
    const text = await requestRaw(
      server.port,
      `PUT /intake HTTP/1.1\r\nHost: ${new URL(own).host}\r\nOrigin: ${own}\r\nCookie: ${cookie}\r\n${lines}Connection: close\r\n\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n`,
    )
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(app.fetched.filter((request) => request.url.includes('smuggled'))).toHaveLength(0)
  })

  test.each(['POST', 'DELETE', 'OPTIONS', 'PATCH'])(
    '%s is not an allowed method',
    async (method) => {
      const headers = { cookie, origin: own }
      expect((await ask(server.port, '/', { method, headers })).status).toBe(405)
    },
  )
})

test('nothing listens on another address', async () => {
  const { networkInterfaces } = await import('node:os')
  const others = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address }) => address)
    .filter((address) => !['127.0.0.1', '::1'].includes(address) && !address.startsWith('fe80'))
  const { connect } = await import('node:net')
  for (const host of [...others, '127.0.0.2']) {
    const reached = await new Promise<boolean>((resolve) => {
      const socket = connect({ host, port: server.port, timeout: 500 })
      socket.once('connect', () => (socket.destroy(), resolve(true)))
      socket.once('timeout', () => (socket.destroy(), resolve(false)))
      socket.once('error', () => resolve(false))
    })
    expect({ host, reached }).toEqual({ host, reached: false })
  }
})

test('no other program can listen on the port at an address that browsers try first', async () => {
  const { createServer } = await import('node:net')
  for (const host of ['127.0.0.1', '::1']) {
    const other = createServer()
    const refused = await new Promise<string | undefined>((resolve) => {
      other.once('error', (error: NodeJS.ErrnoException) => resolve(error.code))
      other.listen({ host, port: server.port }, () => other.close(() => resolve(undefined)))
    })
    // A computer without IPv6 has no such address to listen on.
    expect(['EADDRINUSE', 'EADDRNOTAVAIL', 'EAFNOSUPPORT']).toContain(refused)
  }
})

describe('a second launch', () => {
  const path = '/second-launch'
  /** Uses the numeric host: programs cannot know the host name of the page. */
  const numeric = () => ({ host: `127.0.0.1:${server.port}` })
  test('gets an address with the secret', async () => {
    const reply = await ask(server.port, path, {
      method: 'POST',
      headers: { ...numeric(), authorization: `Bearer ${server.secret}` },
    })
    expect(reply.status).toBe(200)
    expect((await ask(server.port, new URL(reply.body).pathname)).status).toBe(200)
  })

  test('gets nothing without the secret, with a wrong one, from a page or under another name', async () => {
    const right = { ...numeric(), authorization: `Bearer ${server.secret}` }
    const { cookie } = await enter(server)
    for (const options of [
      { method: 'POST', headers: numeric() },
      { method: 'POST', headers: { ...numeric(), authorization: 'Bearer x' } },
      { method: 'POST', headers: { ...numeric(), authorization: server.secret } },
      { method: 'POST', headers: { ...right, origin: own } },
      { method: 'POST', headers: { ...right, host: `localhost:${server.port}` } },
      { method: 'POST', headers: { ...numeric(), cookie } },
      { method: 'GET', headers: right },
    ]) {
      const reply = await ask(server.port, path, options)
      expect(reply.status).toBe(401)
      expect(reply.body).not.toContain('/launch/')
    }
  })
})
