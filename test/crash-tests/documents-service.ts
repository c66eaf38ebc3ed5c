import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { PDFDocument } from '@cantoo/pdf-lib'

/** Request as received by the server. */
export interface SeenRequest {
  /** Number of the app run that sent it, from 0. */
  readonly life: number
  readonly pages: readonly number[]
  /** Action of the server: `answered` is a complete reply written to the socket; `open` was not finished. */
  outcome: 'open' | 'answered' | 'dropped' | 'stalled' | 'limited' | 'failed' | 'cut'
}

/** Server that parses pages, which it recognizes by their width, and injects faults. */
export interface UnreliableService {
  readonly url: string
  readonly seen: SeenRequest[]
  /** Number of the current app run. */
  life: number
  /** Called for each completely received request. */
  onRequest: () => void
  stop(): Promise<void>
}

/** Width of page 1 in points; each further page is one point wider, which identifies the pages of a part. */
export const firstWidth = 301

/** Maximum failures per page, so that a job ends. */
const maxFaults = 3

/** Starts the server. About every third request fails in one of five ways; responses take between `fastMs` and `slowMs`. */
export async function startUnreliableService(
  random: () => number,
  { fastMs = 100, slowMs = 500 } = {},
): Promise<UnreliableService> {
  const seen: SeenRequest[] = []
  const sockets = new Set<Socket>()
  const faults = new Map<number, number>()
  const timers = new Set<NodeJS.Timeout>()

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { readonly file: string }
    const pages = await pagesIn(Buffer.from(body.file.slice(body.file.indexOf(',') + 1), 'base64'))
    const one: SeenRequest = { life: service.life, pages, outcome: 'open' }
    seen.push(one)
    service.onRequest()
    const first = pages[0] ?? 0
    const unlucky = random() < 0.35 && (faults.get(first) ?? 0) < maxFaults
    if (unlucky) faults.set(first, (faults.get(first) ?? 0) + 1)
    const way = unlucky ? Math.floor(random() * 5) : -1
    await pause(fastMs + random() * (slowMs - fastMs))
    if (response.destroyed) return
    misbehave(one, way, response)
    if (one.outcome === 'open') answer(one, response)
  }

  const misbehave = (one: SeenRequest, way: number, response: ServerResponse): void => {
    if (way === 0) {
      one.outcome = 'dropped'
      response.socket?.destroy()
    } else if (way === 1) {
      // Does not respond until the client times out.
      one.outcome = 'stalled'
    } else if (way === 2) {
      one.outcome = 'limited'
      const headers = { 'content-type': 'application/json', 'retry-after': '1' }
      response.writeHead(429, headers).end('{"error":{"code":"rate_limit_exceeded","message":""}}')
    } else if (way === 3) {
      one.outcome = 'failed'
      response.writeHead(500, { 'content-type': 'application/json' })
      response.end('{"error":{"code":"server_error","message":""}}')
    } else if (way === 4) {
      one.outcome = 'cut'
      const text = layoutOf(one.pages)
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(text)),
      })
      response.write(text.slice(0, text.length >> 1), () => response.socket?.destroy())
    }
  }

  const answer = (one: SeenRequest, response: ServerResponse): void => {
    response.on('finish', () => (one.outcome = 'answered'))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(layoutOf(one.pages))
  }
  const pause = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer)
        resolve()
      }, ms)
      timers.add(timer)
    })

  const server = createServer((request, response) => {
    // A client killed midway is the purpose of this test.
    take(request, response).catch(() => request.socket.destroy())
  })
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const service: UnreliableService = {
    url: `http://127.0.0.1:${port}`,
    seen,
    life: 0,
    onRequest: () => {},
    async stop() {
      for (const timer of timers) clearTimeout(timer)
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return service
}

async function pagesIn(bytes: Buffer): Promise<readonly number[]> {
  const document = await PDFDocument.load(bytes)
  return document.getPages().map((page) => Math.round(page.getWidth()) - firstWidth + 1)
}

/** Returns the text of a page. */
export const textOf = (page: number): string => `Words of page ${page}.`

const layoutOf = (pages: readonly number[]): string =>
  JSON.stringify({
    id: 'layout',
    created: 1,
    model: 'glm-ocr',
    md_results: pages.map(textOf).join('\n\n'),
    layout_details: pages.map((page) => [
      { index: 0, label: 'text', bbox_2d: [100, 100, 900, 200], content: textOf(page) },
    ]),
    data_info: { num_pages: pages.length, pages: pages.map(() => ({ width: 1000, height: 1400 })) },
    request_id: 'request',
  })
