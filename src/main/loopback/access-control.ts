import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { tabKey } from '../../shared/bridge/transport.ts'

/** What the gate of the loopback host knows about itself. */
export interface GateContext {
  /** `name.localhost:port`, the one host this run answers to. */
  readonly host: string
  /** Name of the session cookie. */
  readonly cookie: string
  knows(session: string): boolean
  holds(key: string): boolean
}

/** A request that may go on, or the status it is answered with and why (for tests and the log; never names a secret). */
export type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly status: 400 | 401 | 403 | 404 | 405 | 421; readonly why: string }

const refuse = (status: 400 | 401 | 403 | 404 | 405 | 421, why: string): Verdict => ({
  ok: false,
  status,
  why,
})

/**
 * A name of this computer that no other run and no other program has: browsers resolve every name below localhost to it by themselves. A
 * service worker or a cookie that another program left at this port under another name never meets our page.
 */
export const freshName = (): string => `lectern-${randomBytes(12).toString('hex')}.localhost`

/** The shape of {@link freshName} with a port, for who cannot know the name. */
export const isLoopbackOrigin = (origin: string, port: number): boolean =>
  new RegExp(`^http://lectern-[0-9a-f]{24}\\.localhost:${port}$`).test(origin)

const originOf = (host: string): string => `http://${host}`

/** Methods any route of the app knows. */
const methods = new Set(['GET', 'HEAD', 'PUT'])

/**
 * Judges whence a request comes, before who sends it: the exact Host (a rebound name is another one), a plain path, no
 * other site, and our own Origin for whatever is more than a look.
 */
function checkOrigin(request: IncomingMessage, host: string, upgrade: boolean): Verdict {
  const aim = checkTarget(request, host)
  if (!aim.ok) return aim
  const { headers } = request
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return refuse(403, 'site')
  const isReadOnlyRequest = !upgrade && (request.method === 'GET' || request.method === 'HEAD')
  const { origin } = headers
  if (origin === undefined && isReadOnlyRequest) return { ok: true }
  return origin === originOf(host) ? { ok: true } : refuse(403, 'origin')
}

/** The exact host, a plain path, and no script of a service worker: Lectern has none, so one that is asked for is somebody else's. */
export function checkTarget({ headers, rawHeaders, url }: IncomingMessage, host: string): Verdict {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length !== 1 || headers.host !== host) return refuse(421, 'host')
  if (headers['service-worker'] !== undefined) return refuse(403, 'service worker')
  return plainPath(url ?? '') ? { ok: true } : refuse(404, 'path')
}

/**
 * Judges a request with a launch token. The token is the authority, so it may come from a file or another program's
 * window: but then only as the navigation of a whole tab, never as a part of somebody's page.
 */
export function checkLaunch(request: IncomingMessage, host: string): Verdict {
  const { headers } = request
  const wholeTab =
    headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
  const validated =
    wholeTab && headers.origin === undefined
      ? checkTarget(request, host)
      : checkOrigin(request, host, false)
  if (!validated.ok) return validated
  return request.method === 'GET' ? { ok: true } : refuse(405, 'method')
}

/**
 * Judges a request to the app: {@link checkOrigin}, a session of this run, a method it knows, and for all that is more
 * than a look the tab's key, since the cookie is shown to whoever listens on any port of this computer.
 */
export function checkRequest(
  request: IncomingMessage,
  context: GateContext,
  upgrade = false,
): Verdict {
  const origin = checkOrigin(request, context.host, upgrade)
  if (!origin.ok) return origin
  if (!context.knows(sessionOf(request, context.cookie))) return refuse(401, 'session')
  if (!methods.has(request.method ?? '')) return refuse(405, 'method')
  const key = upgrade ? keyOfProtocols(request) : request.headers[tabKey.header]
  // A tab that only asks how it stands shows its key as well, and is told.
  if (key === undefined && !upgrade && request.method !== 'PUT') return { ok: true }
  return typeof key === 'string' && context.holds(key) ? { ok: true } : refuse(401, 'key')
}

/** The key among a socket's subprotocols: exactly ours, then the one with the key. */
function keyOfProtocols({ headers }: IncomingMessage): string | undefined {
  const [ours, withKey = '', ...more] = (headers['sec-websocket-protocol'] ?? '').split(/, ?/)
  if (ours !== tabKey.protocol || more.length > 0) return undefined
  if (!withKey.startsWith(tabKey.protocolPrefix)) return undefined
  return withKey.slice(tabKey.protocolPrefix.length)
}

/** The session a request shows; empty when it shows none, or two (which one was meant is not ours to guess). */
function sessionOf(request: IncomingMessage, cookie: string): string {
  const prefix = `${cookie}=`
  const shown = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
  return shown.length === 1 ? (shown[0] ?? '').slice(prefix.length) : ''
}

/**
 * Whether a request target is a path written the one usual way. Refused: whole URLs, `//`, backslashes, dot segments
 * and encoded slashes, dots or control characters: a path that two readers read differently is nobody's.
 */
function plainPath(target: string): boolean {
  if (!/^\/[\w\-.~!$&'()*+,;=:@%/?]*$/.test(target)) return false
  if (/\/\/|%(2[ef]|5c|[01][\da-f]|7f|25)|\/\.{1,2}(\/|\?|$)/i.test(target)) return false
  return !/%(?![0-9a-f]{2})/i.test(target)
}
