import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TrustPages } from '../../../../src/main/hosts/loopback/trust.ts'
import { createTrustPages } from '../../../../src/main/hosts/loopback/trust.ts'
import { maxConnections } from '../../../../src/main/hosts/loopback/connection-limit.ts'
import { createIds } from '../../../../src/main/hosts/support/ids.ts'
import {
  createLoopbackServer,
  type LoopbackServer,
} from '../../../../src/main/hosts/loopback/server.ts'
import { ask, enter, notedApp } from './fixture.ts'

let server: LoopbackServer
let trust: TrustPages
let shown: string[]

beforeEach(async () => {
  shown = []
  trust = createTrustPages({
    origin: () => server.trustOrigin,
    show: async (url) => void shown.push(url),
  })
  server = await createLoopbackServer({
    app: notedApp(),
    port: 0,
    clock: Date.now,
    ids: createIds(Date.now),
    log: { info() {}, warn() {}, error() {} },
    trust,
  })
})
afterEach(() => server.close())

const trustHost = (): string => new URL(server.trustOrigin).host

/** Submits a form like the browser. */
async function post(
  path: string,
  fields: Record<string, string | File>,
  origin = server.trustOrigin,
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  const body = new Response(form)
  const bytes = Buffer.from(await body.arrayBuffer())
  return ask(server.port, path, {
    method: 'POST',
    headers: {
      host: trustHost(),
      origin,
      'content-type': body.headers.get('content-type') ?? '',
      'content-length': String(bytes.length),
    },
    body: bytes.toString('latin1'),
  })
}

/** Returns the path of the last question shown. */
const path = (): string => new URL(shown.at(-1) ?? '').pathname

test('a question has another origin than the page, and its form is accepted once', async () => {
  const answer = trust.confirm({ kind: 'proxy', proxy: 'http://own.example:8080' }, 'page')
  await expect.poll(() => shown.length).toBe(1)
  expect(new URL(shown[0] ?? '').origin).toBe(server.trustOrigin)
  expect(server.trustOrigin).not.toBe(server.origin)
  const page = await ask(server.port, path(), { headers: { host: trustHost() } })
  expect(page.body).toContain('http://own.example:8080')
  expect(page.headers['content-security-policy']).toMatch(/default-src 'none'.*form-action 'self'/)
  expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'")
  expect((await post(path(), { answer: 'yes' })).status).toBe(200)
  expect(await answer).toBe(true)
  expect((await post(path(), { answer: 'yes' })).status).toBe(404)
})

test('the page of the app cannot answer for the user', async () => {
  const { cookie, key } = await enter(server)
  let answered = false
  void trust
    .confirm({ kind: 'proxy', proxy: 'http://own.example:8080' }, 'page')
    .then(() => (answered = true))
  await expect.poll(() => shown.length).toBe(1)
  // The question does not exist under the page's own origin, whatever credentials it sends.
  const own = { cookie, 'x-lectern-key': key, origin: server.origin }
  const here = await ask(server.port, path(), { headers: own })
  expect(here.body).not.toContain('own.example')
  expect((await post(path(), { answer: 'yes' }, server.origin)).status).toBe(403)
  expect((await post(path(), { answer: 'yes' }, 'null')).status).toBe(403)
  expect((await post('/guessed', { answer: 'yes' })).status).toBe(404)
  expect(answered).toBe(false)
  expect((await post(path(), { answer: 'no' })).status).toBe(200)
  await expect.poll(() => answered).toBe(true)
})

test('a question shows its values as text, in the language of the browser', async () => {
  void trust.confirm({ kind: 'proxy', proxy: 'http://<script>alert(1)</script>' }, 'page')
  await expect.poll(() => shown.length).toBe(1)
  const headers = { host: trustHost(), 'accept-language': 'zh-CN,zh;q=0.9' }
  const page = await ask(server.port, path(), { headers })
  expect(page.body).not.toContain('<script>')
  expect(page.body).toContain('将代理更改为')
})

test('accepts a certificate file from the form; without one it shows the form again', async () => {
  const chosen = trust.chooseCertificates('page')
  await expect.poll(() => shown.length).toBe(1)
  const empty = await post(path(), { answer: 'yes', file: new File([], '') })
  expect(empty.body).toContain('type="file"')
  await post(path(), { answer: 'yes', file: new File(['-----BEGIN'], 'ca.pem') })
  const file = await chosen
  expect(file).toMatchObject({ name: 'ca.pem' })
  expect(Buffer.from(file && 'bytes' in file ? file.bytes : []).toString()).toBe('-----BEGIN')
})

test('a program that uses all connections does not lock the tab out', async () => {
  const { cookie } = await enter(server)
  const sockets: Socket[] = []
  for (let count = 0; count < maxConnections + 50; count += 1) {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => {})
    sockets.push(socket)
    await new Promise((resolve) => socket.once('connect', resolve))
  }
  expect((await ask(server.port, '/', { headers: { cookie } })).status).toBe(200)
  await expect.poll(() => sockets.filter((socket) => socket.destroyed).length).toBeGreaterThan(49)
  for (const socket of sockets) socket.destroy()
})
