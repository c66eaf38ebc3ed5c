import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { decode, encode } from '@msgpack/msgpack'
import { WebSocket } from 'ws'
import type { Reply } from '../../../../src/shared/contract/reply.ts'
import { tabKey, type PushedEvent } from '../../../../src/shared/contract/transport.ts'
import type { App, PageConnection } from '../../../../src/main/host.ts'
import { loadFromDisk } from '../../../../src/main/platform/bridge/intake.ts'
import { createIds } from '../../../../src/main/hosts/support/ids.ts'
import {
  createLoopbackServer,
  type LoopbackServer,
} from '../../../../src/main/hosts/loopback/server.ts'
import type { BridgeBounds } from '../../../../src/main/hosts/loopback/bridge.ts'

/** An app that records its calls, and returns known replies. */
export interface NotedApp extends App {
  readonly fetched: Request[]
  readonly requests: {
    readonly connection: string
    readonly route: string
    readonly payload: unknown
  }[]
  readonly connected: Map<string, PageConnection>
  /** Set by a test to handle a fetch. */
  answer: (request: Request) => Promise<Response>
}

export function notedApp(): NotedApp {
  const app: NotedApp = {
    fetched: [],
    requests: [],
    connected: new Map(),
    answer: async () => new Response('page', { headers: { 'content-type': 'text/plain' } }),
    async request(connection, route, payload) {
      app.requests.push({ connection: connection.id, route, payload })
      if (route === 'slow') await new Promise((resolve) => setTimeout(resolve, 300))
      return { ok: true, data: payload }
    },
    connect: (connection) => void app.connected.set(connection.id, connection),
    disconnect: (connection) => void app.connected.delete(connection.id),
    async fetch(request) {
      app.fetched.push(request)
      return app.answer(request)
    },
    takeFile: (path) =>
      loadFromDisk(
        (request) => app.fetch(request),
        path,
        () => 0,
      ),
    start: async () => {},
    stopRecording: async () => {},
    stop: async () => {},
  }
  return app
}

/** Host name of each server, by its port: only browsers resolve the names below localhost. */
const hosts = new Map<number, string>()
export const hostOf = (port: number): string => hosts.get(port) ?? `127.0.0.1:${port}`

const quiet = { info() {}, warn() {}, error() {} }

/** A loopback host with {@link notedApp} and a clock controlled by the test. */
export async function openServer(options: { bounds?: BridgeBounds } = {}): Promise<{
  app: NotedApp
  server: LoopbackServer
  time: { now: number }
}> {
  const app = notedApp()
  const time = { now: 1_800_000_000_000 }
  const clock = (): number => time.now
  const server = await createLoopbackServer({
    app,
    port: 0,
    clock,
    ids: createIds(clock),
    log: quiet,
    ...options,
  })
  hosts.set(server.port, new URL(server.origin).host)
  return { app, server, time }
}

/** A response over plain HTTP. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Sends one request with exactly these headers, plus only those that HTTP requires. */
export function ask(
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      {
        host: '127.0.0.1',
        port,
        path,
        method: options.method ?? 'GET',
        setHost: false,
        headers: { host: hostOf(port), ...options.headers },
        agent: false,
      },
      (reply) => {
        const chunks: Buffer[] = []
        reply.on('data', (chunk: Buffer) => chunks.push(chunk))
        reply.on('end', () =>
          resolve({
            status: reply.statusCode ?? 0,
            headers: reply.headers,
            body: Buffer.concat(chunks).toString('utf8'),
          }),
        )
        reply.on('error', reject)
      },
    )
    call.on('error', reject)
    call.end(options.body)
  })
}

/** Sends raw bytes, for what a client library would correct; resolves with all received bytes. */
export function requestRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.setTimeout(3000, () => socket.destroy())
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    socket.on('close', () => resolve(text))
    socket.on('error', reject)
  })
}

/** Credentials obtained from a launch address: the cookie pair and the tab's key. */
export interface Entered {
  readonly cookie: string
  readonly key: string
}

/** Enters with a launch address. */
export async function enterAt(launchUrl: string): Promise<Entered> {
  const { host, port, pathname } = new URL(launchUrl)
  hosts.set(Number(port), host)
  const { headers } = await ask(Number(port), pathname)
  return {
    cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '',
    key: /^0;url=\/#k=([\w-]+)$/.exec(headers['refresh']?.toString() ?? '')?.[1] ?? '',
  }
}

/** Enters with a new launch address. */
export const enter = (server: LoopbackServer): Promise<Entered> => enterAt(server.launchUrl())

/** Opens a page's socket; returns the HTTP status if it was refused. */
export function openSocket(
  port: number,
  headers: Record<string, string>,
  key: string | null,
  path = '/bridge',
): Promise<WebSocket | number> {
  const protocols = key === null ? [] : [tabKey.protocol, tabKey.protocolPrefix + key]
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, {
      headers: { host: hostOf(port), ...headers },
    })
    socket.once('open', () => resolve(socket))
    socket.once('unexpected-response', (_request, reply) => {
      resolve(reply.statusCode ?? 0)
      reply.resume()
    })
    socket.on('error', () => {})
  })
}

/** Opens an authenticated socket. */
export async function pageSocket(server: LoopbackServer): Promise<WebSocket> {
  const { cookie, key } = await enter(server)
  const headers = { cookie, origin: server.origin }
  const socket = await openSocket(server.port, headers, key)
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
  return socket
}

type Frame = { t: string; id?: number; reply?: Reply<unknown>; event?: PushedEvent }

/** Returns the next frame a socket receives. */
export function nextFrame(socket: WebSocket): Promise<Frame> {
  return new Promise((resolve) =>
    socket.once('message', (bytes: Buffer) => resolve(decode(bytes) as Frame)),
  )
}

export const call = (id: number, route: string, payload: unknown): Uint8Array =>
  encode({ t: 'req', id, route, payload })

/** Returns the code with which a socket is closed. */
export function closeCode(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => socket.once('close', (code) => resolve(code)))
}
