import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Clock, Ids, Log } from '../../deps.ts'
import { systemCode } from '../../../system/system-code.ts'
import { maxCallBytes, tabKey } from '../../../shared/contract/transport.ts'
import type { App } from '../../host.ts'
import { contentPolicy } from '../../platform/security/csp.ts'
import { withBaseHeaders } from '../../platform/security/headers.ts'
import { createAdmission } from './admission.ts'
import { createPacker, serveSocket, type BridgeBounds } from './bridge.ts'
import { closeCodes } from './frames.ts'
import {
  freshName,
  checkTarget,
  checkLaunch,
  checkRequest,
  type Verdict,
} from './access-control.ts'
import { createConnectionLimit } from './connection-limit.ts'
import { createRefusalLog } from './refusal-log.ts'
import type { TrustPages } from './trust.ts'
import { sendWebResponse, toWebRequest } from './web-request.ts'
import { entryPage, refusals, messageHeaders } from './trust-messages.ts'

/** A running loopback host. */
export interface LoopbackServer {
  readonly port: number
  /** `http://name.localhost:port` of the app's page; the pages of questions have a separate origin. */
  readonly origin: string
  readonly trustOrigin: string
  /** Secret that a second launch on the same data folder presents to get a URL. */
  readonly secret: string
  /** Returns a new URL that admits one browser, once. */
  launchUrl(): string
  /** Notifies the tabs that Lectern was closed, and stops listening. */
  close(): Promise<void>
}

interface LoopbackOptions {
  readonly app: App
  /** 0 lets the system choose. */
  readonly port: number
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly bounds?: BridgeBounds
  /** Questions that must be hidden from the page. */
  readonly trust?: Pick<TrustPages, 'serve'>
  /** Called when a launch URL was used. */
  onEntered?(url: string): void
}

const launchPath = '/launch/'
/** Path where a second launch requests a URL, with the secret of the first as bearer token. */
export const secondLaunchPath = '/second-launch'
const bridgePath = '/bridge'

/** Serves the app on loopback addresses only. */
export async function createLoopbackServer(options: LoopbackOptions): Promise<LoopbackServer> {
  const { app, clock, log, ids } = options
  const admission = createAdmission(clock)
  const policy = contentPolicy('loopback')
  const pack = createPacker()
  const noteRefusal = createRefusalLog(log, clock)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxCallBytes,
    perMessageDeflate: false,
    clientTracking: true,
    // Never the other subprotocol, which contains the key.
    handleProtocols: () => tabKey.protocol,
  })
  const names = { page: freshName(), trust: freshName() }
  let port = 0
  const gate = {
    get host() {
      return `${names.page}:${port}`
    },
    cookie: `lectern-${randomBytes(8).toString('hex')}`,
    knows: admission.knows,
    holds: admission.holds,
  }

  const origin = (): string => `http://${gate.host}`

  const refuse = (response: ServerResponse, verdict: Extract<Verdict, { ok: false }>): void => {
    noteRefusal(verdict)
    // A refused upload is not read to its end.
    response.writeHead(verdict.status, { ...messageHeaders, connection: 'close' })
    response.end(refusals[verdict.status])
  }

  const launch = (request: IncomingMessage, response: ServerResponse): void => {
    const verdict = checkLaunch(request, gate.host)
    if (!verdict.ok) return refuse(response, verdict)
    const entry = admission.redeem((request.url ?? '').slice(launchPath.length))
    if (entry === null) return refuse(response, { ok: false, status: 401, why: 'launch' })
    options.onEntered?.(origin() + (request.url ?? ''))
    // Not a redirect: our own page must navigate next, or a browser that came from another site does not send the cookie.
    response.writeHead(200, {
      ...messageHeaders,
      refresh: `0;url=/#k=${entry.key}`,
      'set-cookie': `${gate.cookie}=${entry.session}; Path=/; HttpOnly; SameSite=Strict`,
    })
    response.end(entryPage(entry.key))
  }

  const secondLaunch = (request: IncomingMessage, response: ServerResponse): void => {
    const bearer = /^Bearer ([\w-]+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    const plain = request.headers.host === `127.0.0.1:${port}` && !request.headers.origin
    if (!plain || request.method !== 'POST' || !admission.isSecret(bearer))
      return refuse(response, { ok: false, status: 401, why: 'second launch' })
    response.writeHead(200, { 'content-type': 'text/plain', 'cache-control': 'no-store' })
    response.end(launchUrl())
  }

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === secondLaunchPath) return secondLaunch(request, response)
    if (request.headers.host === `${names.trust}:${port}` && options.trust) {
      const aim = checkTarget(request, request.headers.host)
      return aim.ok ? options.trust.serve(request, response) : refuse(response, aim)
    }
    if (request.url?.startsWith(launchPath)) return launch(request, response)
    const verdict = checkRequest(request, gate)
    if (!verdict.ok) return refuse(response, verdict)
    limit.admit(request.socket)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const answer = await app.fetch(toWebRequest(request, origin(), gone.signal))
    await sendWebResponse(withBaseHeaders(answer, policy), response, request.method !== 'HEAD')
  }

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    const verdict: Verdict =
      request.url === bridgePath
        ? checkRequest(request, gate, true)
        : { ok: false, status: 404, why: 'path' }
    socket.on('error', () => socket.destroy())
    if (!verdict.ok) {
      noteRefusal(verdict)
      socket.end(
        `HTTP/1.1 ${verdict.status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      )
      return
    }
    limit.admit(request.socket)
    sockets.handleUpgrade(request, socket, head, (page) =>
      serveSocket(page, ids(), {
        app,
        clock,
        pack,
        ...(options.bounds && { bounds: options.bounds }),
      }),
    )
  }
  const build = (): Server => {
    // Uploads have no time limit; headers do. The server must not close a connection at the moment the browser sends an
    // upload over it: Chromium opens connections in advance and closes unused ones after 10 s, used ones after 300 s.
    const times = { requestTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 310_000 }
    const made = createServer({ requireHostHeader: false, ...times }, (request, response) => {
      serve(request, response).catch((error: unknown) => {
        log.error('request failed', { error })
        if (response.headersSent) response.destroy()
        else response.writeHead(500, messageHeaders).end(refusals[500])
      })
    })
    limit.watch(made)
    return made.on('upgrade', onUpgrade)
  }
  const limit = createConnectionLimit()
  const servers = await listenOnBoth(build, options.port)
  port = portOf(servers[0])

  const launchUrl = (): string => origin() + launchPath + admission.launchToken()

  const close = async (): Promise<void> => {
    for (const page of sockets.clients) page.close(closeCodes.closed, 'Lectern was closed')
    const closed = Promise.all(
      servers.map((one) => new Promise<void>((resolve) => one.close(() => resolve()))),
    )
    // Tabs get a moment to receive the close code; media still playing are cut off.
    await new Promise((resolve) => setTimeout(resolve, sockets.clients.size > 0 ? 200 : 0))
    for (const page of sockets.clients) page.terminate()
    for (const one of servers) one.closeAllConnections()
    await closed
  }

  return {
    port,
    origin: origin(),
    trustOrigin: `http://${names.trust}:${port}`,
    secret: admission.secret,
    launchUrl,
    close,
  }
}

/** Number of ports tried if the system chooses. */
const tries = 20

/**
 * Listens on 127.0.0.1 and on ::1, at the same port: browsers resolve names below localhost to both, ::1 first, and another
 * user's program could take a port that is free there. Throws the system's error if the port is taken on either.
 */
async function listenOnBoth(
  build: () => Server,
  wanted: number,
): Promise<readonly [Server, ...Server[]]> {
  for (let tried = 1; ; tried += 1) {
    const fourth = build()
    await listening(fourth, '127.0.0.1', wanted)
    const sixth = build()
    try {
      await listening(sixth, '::1', portOf(fourth))
      return [fourth, sixth]
    } catch (error) {
      // A computer without IPv6: no other program can listen there either.
      if (['EAFNOSUPPORT', 'EADDRNOTAVAIL'].includes(systemCode(error))) return [fourth]
      await new Promise<void>((resolve) => fourth.close(() => resolve()))
      if (wanted !== 0 || tried === tries || systemCode(error) !== 'EADDRINUSE') throw error
    }
  }
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port

const listening = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject)
      resolve()
    })
  })
