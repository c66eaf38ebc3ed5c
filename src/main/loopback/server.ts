import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Clock, Ids, Log } from '../deps.ts'
import { longestCall, tabKey } from '../../shared/bridge/transport.ts'
import type { App } from '../host.ts'
import { contentPolicy } from '../security/csp.ts'
import { withBaseHeaders } from '../security/headers.ts'
import { createAdmission } from './admission.ts'
import { createPacker, serveSocket, type BridgeBounds } from './bridge.ts'
import { closeCodes } from './frames.ts'
import { cookieName, judgeLaunch, judgeRequest, loopbackOrigin, type Verdict } from './gate.ts'
import { createRefusalLog } from './refusal-log.ts'
import { sendWebResponse, toWebRequest } from './web-request.ts'
import { entryPage, refusals, wordsHeaders } from './words.ts'

/** A running loopback host. */
export interface LoopbackServer {
  readonly port: number
  /** What a second launch on the same data folder shows to get an address. */
  readonly secret: string
  /** A fresh address that lets one browser in, once. */
  launchUrl(): string
  /** Tells the tabs that Lectern was closed, and stops listening. */
  close(): Promise<void>
}

/** What the server is built from. */
export interface LoopbackOptions {
  readonly app: App
  /** 0 lets the system choose. */
  readonly port: number
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
  readonly bounds?: BridgeBounds
  /** A launch address was used. */
  onEntered?(url: string): void
}

const launchPath = '/launch/'
/** Where a second launch asks for an address, with the secret of the first as bearer. */
export const secondLaunchPath = '/second-launch'
const bridgePath = '/bridge'

/** Serves the app on 127.0.0.1 and nowhere else. */
export async function createLoopbackServer(options: LoopbackOptions): Promise<LoopbackServer> {
  const { app, clock, log, ids } = options
  const admission = createAdmission(clock)
  const policy = contentPolicy('loopback')
  const pack = createPacker()
  const noteRefusal = createRefusalLog(log, clock)
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: longestCall,
    perMessageDeflate: false,
    clientTracking: true,
    // Never the other one: it is the key.
    handleProtocols: () => tabKey.protocol,
  })
  let port = 0
  const gate = {
    get port() {
      return port
    },
    knows: admission.knows,
    holds: admission.holds,
  }

  const refuse = (response: ServerResponse, verdict: Extract<Verdict, { ok: false }>): void => {
    noteRefusal(verdict)
    // A refused upload is not read to its end.
    response.writeHead(verdict.status, { ...wordsHeaders, connection: 'close' })
    response.end(refusals[verdict.status])
  }

  const launch = (request: IncomingMessage, response: ServerResponse): void => {
    const verdict = judgeLaunch(request, port)
    if (!verdict.ok) return refuse(response, verdict)
    const entry = admission.redeem((request.url ?? '').slice(launchPath.length))
    if (entry === null) return refuse(response, { ok: false, status: 401, why: 'launch' })
    options.onEntered?.(loopbackOrigin(port) + (request.url ?? ''))
    // Not a redirect: the next step must be our own page's, or a browser that came from elsewhere keeps the cookie back.
    response.writeHead(200, {
      ...wordsHeaders,
      refresh: `0;url=/#k=${entry.key}`,
      'set-cookie': `${cookieName(port)}=${entry.session}; Path=/; HttpOnly; SameSite=Strict`,
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
    if (request.url?.startsWith(launchPath)) return launch(request, response)
    const verdict = judgeRequest(request, gate)
    if (!verdict.ok) return refuse(response, verdict)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const answer = await app.fetch(toWebRequest(request, loopbackOrigin(port), gone.signal))
    await sendWebResponse(withBaseHeaders(answer, policy), response, request.method !== 'HEAD')
  }

  const server = createServer(
    { requireHostHeader: false, requestTimeout: 0 },
    (request, response) => {
      serve(request, response).catch((error: unknown) => {
        log.error('loopback', { error })
        if (response.headersSent) response.destroy()
        else response.writeHead(500, wordsHeaders).end(refusals[500])
      })
    },
  )

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const verdict: Verdict =
      request.url === bridgePath
        ? judgeRequest(request, gate, true)
        : { ok: false, status: 404, why: 'path' }
    socket.on('error', () => socket.destroy())
    if (!verdict.ok) {
      noteRefusal(verdict)
      socket.end(
        `HTTP/1.1 ${verdict.status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      )
      return
    }
    sockets.handleUpgrade(request, socket, head, (page) =>
      serveSocket(page, ids(), {
        app,
        clock,
        pack,
        ...(options.bounds && { bounds: options.bounds }),
      }),
    )
  })

  const launchUrl = (): string => loopbackOrigin(port) + launchPath + admission.launchToken()

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port: options.port, exclusive: true }, resolve)
  })
  port = (server.address() as AddressInfo).port

  const close = async (): Promise<void> => {
    for (const page of sockets.clients) page.close(closeCodes.closed, 'Lectern was closed')
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    // Tabs get a moment to read it; media that still play are cut.
    await new Promise((resolve) => setTimeout(resolve, sockets.clients.size > 0 ? 200 : 0))
    for (const page of sockets.clients) page.terminate()
    server.closeAllConnections()
    await closed
  }

  return { port, secret: admission.secret, launchUrl, close }
}
