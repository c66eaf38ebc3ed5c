import { lookup } from 'node:dns/promises'
import { Readable } from 'node:stream'
import { createAgents, type AgentDeps } from '../../api/agents.ts'
import { pinnedLookup, type RemoteDeps } from '../../security/remote-fetch.ts'

/** Longest that connecting and waiting for the head of a reply may take, in milliseconds. */
const connectTimeoutMs = 10_000
const headersTimeout = 15_000

/**
 * Fetches over connections that go to the pinned addresses alone, or through the proxy of the settings, and trust whom the service's
 * own connections trust. No redirect is followed, no name is resolved again here; a proxy resolves by itself what was judged before.
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
      const agents = createAgents({ ...network, connectTimeoutMs, lookup: pinnedLookup(pinned) })
      try {
        const reply = await agents.use(url, (dispatcher) =>
          dispatcher.request({
            origin: url.origin,
            path: url.pathname + url.search,
            method: 'GET',
            headers: { accept },
            headersTimeout,
            bodyTimeout: headersTimeout,
            signal,
          }),
        )
        reply.body.once('close', () => void agents.close())
        const headers = new Headers()
        for (const [name, value] of Object.entries(reply.headers))
          if (value !== undefined) headers.set(name, String(value))
        const body = Readable.toWeb(reply.body) as ReadableStream<Uint8Array>
        return { status: reply.statusCode, headers, body }
      } catch (error) {
        void agents.close()
        throw error
      }
    },
  }
}
