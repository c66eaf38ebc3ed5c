import { isIP } from 'node:net'
import type { Agents } from '../provider-client/agents.ts'
import { isPublicAddress } from '../platform/security/addresses.ts'
import { UpdateError } from './fault.ts'

/** Header of a mirror's response and its unread body. */
interface MirrorReply {
  readonly status: number
  /** From `content-length`; null if absent. */
  readonly length: number | null
  /** From `content-range`: where the body begins and how long the whole file is. */
  readonly range: { readonly start: number; readonly total: number } | null
  readonly body: AsyncIterable<Uint8Array>
  /** Closes the connection. */
  discard(): void
}

/** GET request to a mirror: `offset` requests the rest of a file. */
export type MirrorGet = (
  url: string,
  options: { readonly signal: AbortSignal; readonly offset?: number },
) => Promise<MirrorReply>

/** Maximum redirects, for mirrors that serve files from elsewhere. */
const maxRedirects = 3

/**
 * Sends GET requests over the app's own connections, so that the user's proxy and certificate authorities apply. Nothing sent
 * identifies an installation: no version, no ID, no cookie, no key. Only https; http for a mirror on this computer. A mirror on
 * the internet cannot redirect Lectern to this computer or its network. Throws `offline` if there is no response.
 */
export function createMirrorGet(agents: Agents, headersMs: number): MirrorGet {
  return async (url, { signal, offset = 0 }) => {
    const mirror = new URL(url)
    for (let at = mirror, hops = 0; ; hops++) {
      assertSafe(at, mirror)
      const reply = await agents
        .use(at, (dispatcher) =>
          dispatcher.request({
            origin: at.origin,
            path: at.pathname + at.search,
            method: 'GET',
            headers: {
              accept: '*/*',
              'accept-encoding': 'identity',
              'cache-control': 'no-cache',
              'user-agent': 'Lectern',
              ...(offset > 0 && { range: `bytes=${offset}-` }),
            },
            headersTimeout: headersMs,
            // The consumer of the body measures its speed.
            bodyTimeout: 0,
            signal,
          }),
        )
        .catch((error: unknown) => {
          if (signal.aborted) throw error
          throw new UpdateError('offline', `${at.host}: ${reasonOf(error)}`, error)
        })
      const { statusCode: status, headers, body } = reply
      const discard = (): void => void body.on('error', () => {}).destroy()
      const location = headers['location']
      if (status >= 300 && status < 400 && typeof location === 'string' && hops < maxRedirects) {
        discard()
        at = new URL(location, at)
        continue
      }
      return {
        status,
        length: wholeNumber(headers['content-length']),
        range: rangeOf(headers['content-range']),
        body,
        discard,
      }
    }
  }
}

function assertSafe(url: URL, mirror: URL): void {
  const name = url.hostname.replace(/^\[|\]$/g, '')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere(url) && isHere(mirror)))
    throw new UpdateError('offline', `${url.host}: only https is used`)
  // The build configuration chooses the mirrors; a redirect is chosen by a third party.
  if (url.host === mirror.host || isHere(mirror)) return
  if (isHere(url) || (isIP(name) !== 0 && !isPublicAddress(name)))
    throw new UpdateError('offline', `${mirror.host}: redirects to the private address ${url.host}`)
}

const isHere = ({ hostname }: URL): boolean =>
  /^127(\.\d+){3}$/.test(hostname) || hostname === '[::1]' || /(^|\.)localhost\.?$/.test(hostname)

const wholeNumber = (text: unknown): number | null =>
  typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null

function rangeOf(text: unknown): MirrorReply['range'] {
  const match = typeof text === 'string' ? /^bytes (\d+)-\d+\/(\d+)$/.exec(text) : null
  return match ? { start: Number(match[1]), total: Number(match[2]) } : null
}

/** Returns the code of a network error, for Details. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
