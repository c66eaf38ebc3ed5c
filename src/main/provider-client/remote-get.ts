import { lookup } from 'node:dns/promises'
import type { Readable } from 'node:stream'
import { createAgents, type AgentDeps } from './agents.ts'
import { unpacked } from './unpack.ts'
import type { RemoteDeps } from '../platform/security/remote-fetch.ts'

/** Maximum milliseconds for connecting and for waiting for the response headers. */
const connectTimeoutMs = 10_000
const headersTimeout = 15_000

/**
 * Fetches over connections that use only the pinned addresses, or the proxy of the settings, and that trust the same
 * certificates as the connections to the provider. Follows no redirects and resolves no name again, neither here nor by
 * a proxy.
 */
export function createRemoteGet(
  network: Pick<AgentDeps, 'proxyFor' | 'extraCa'>,
  accept = 'image/*',
): RemoteDeps {
  return {
    async resolve(host) {
      const found = await lookup(host, { all: true, verbatim: true })
      return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
    },
    async get(address, { pinned, signal }) {
      const url = new URL(address)
      // For this image only: another one must not be served by the addresses pinned here.
      const hostname = url.hostname.replace(/^\[|\]$/g, '')
      const agents = createAgents({
        ...network,
        connectTimeoutMs,
        pinned: { hostname, addresses: pinned },
      })
      try {
        const reply = await agents.use(url, (dispatcher) =>
          dispatcher.request({
            origin: url.origin,
            path: url.pathname + url.search,
            method: 'GET',
            headers: { accept, 'accept-encoding': 'identity' },
            headersTimeout,
            bodyTimeout: headersTimeout,
            signal,
          }),
        )
        reply.body.once('close', () => void agents.close())
        const headers = new Headers()
        for (const [name, value] of Object.entries(reply.headers))
          if (value !== undefined) headers.set(name, String(value))
        const coding = headers.get('content-encoding')
        // The length is that of the encoded body.
        if (coding !== null) headers.delete('content-length')
        const chunks = unpacked(reply.body, coding, url.host)
        return { status: reply.statusCode, headers, body: asWeb(reply.body, chunks) }
      } catch (error) {
        void agents.close()
        throw error
      }
    },
  }
}

/** Converts a body to a web stream. `Readable.toWeb` writes to canceled streams, and that error ends the process. */
function asWeb(body: Readable, unread: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = unread[Symbol.asyncIterator]()
  // The consumer gets the error from the iterator; an abandoned body has no consumer.
  body.on('error', () => undefined)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: () => void body.destroy(),
    },
    { highWaterMark: 0 },
  )
}
