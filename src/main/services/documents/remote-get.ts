import { lookup } from 'node:dns/promises'
import { request as plainRequest } from 'node:http'
import { request as secureRequest } from 'node:https'
import { Readable } from 'node:stream'
import { pinnedLookup, type RemoteDeps } from '../../security/remote-fetch.ts'

/** Fetches over sockets that go to the pinned addresses alone; no redirect is followed and no name is resolved again. */
export function createRemoteGet(): RemoteDeps {
  return {
    async resolve(host) {
      const found = await lookup(host, { all: true, verbatim: true })
      return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
    },
    get(url, { pinned, signal }) {
      const send = url.startsWith('https:') ? secureRequest : plainRequest
      return new Promise((resolve, reject) => {
        const asked = send(
          url,
          { lookup: pinnedLookup(pinned), signal, agent: false, headers: { accept: 'image/*' } },
          (reply) => {
            const headers = new Headers()
            for (const [name, value] of Object.entries(reply.headers))
              if (value !== undefined) headers.set(name, String(value))
            resolve({
              status: reply.statusCode ?? 0,
              headers,
              body: Readable.toWeb(reply) as ReadableStream<Uint8Array>,
            })
          },
        )
        asked.on('error', reject)
        asked.end()
      })
    },
  }
}
