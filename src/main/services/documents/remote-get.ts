import { lookup } from 'node:dns/promises'
import type { Readable } from 'node:stream'
import { createAgents, type AgentDeps } from '../../api/agents.ts'
import { unpacked } from '../../api/unpack.ts'
import type { RemoteDeps } from '../../security/remote-fetch.ts'

/** Longest that connecting and waiting for the head of a reply may take, in milliseconds. */
const connectTimeoutMs = 10_000
const headersTimeout = 15_000

/**
 * Fetches over connections that go to the pinned addresses alone, or through the proxy of the settings, and trust whom the service's
 * own connections trust. No redirect is followed, and no name is resolved again, here or by a proxy.
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
      // For one picture alone: what another one is pinned to must not serve it.
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
        // The length is of what was sent.
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

/** A body as web streams have it. `Readable.toWeb` writes on into one that was cancelled, and that error ends the process. */
function asWeb(body: Readable, unread: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const chunks = unread[Symbol.asyncIterator]()
  // Who reads is told by the iterator; a body that nobody reads any more has nobody to tell.
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
