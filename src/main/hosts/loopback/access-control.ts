import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { tabKey } from '../../../shared/contract/transport.ts'

/** Facts of the loopback host for its access control. */
interface GateContext {
  /** `name.localhost:port`, the only host this run responds to. */
  readonly host: string
  /** Name of the session cookie. */
  readonly cookie: string
  knows(session: string): boolean
  holds(key: string): boolean
}

/**
 * An accepted request, or the status of the refusal and its reason (for tests and the log; never contains a secret).
 */
export type Verdict =
  | { readonly ok: true }
  | { readonly ok: false; readonly status: 400 | 401 | 403 | 404 | 405 | 421; readonly why: string }

const refuse = (status: 400 | 401 | 403 | 404 | 405 | 421, why: string): Verdict => ({
  ok: false,
  status,
  why,
})

/**
 * Returns a name for this computer that no other run and no other program has: browsers resolve every name below localhost to
 * it. A service worker or a cookie that another program left at this port under another name never affects our page.
 */
export const freshName = (): string => `lectern-${randomBytes(12).toString('hex')}.localhost`

/** Matches the format of {@link freshName} with a port, for callers that cannot know the name. */
export const isLoopbackOrigin = (origin: string, port: number): boolean =>
  new RegExp(`^http://lectern-[0-9a-f]{24}\\.localhost:${port}$`).test(origin)

const originOf = (host: string): string => `http://${host}`

/** Methods used by any route of the app. */
const methods = new Set(['GET', 'HEAD', 'PUT'])

/**
 * Checks where a request comes from, before its sender: the exact Host (a rebound name differs), a plain path, no other site,
 * and our own Origin for anything but a plain read.
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

/**
 * Checks for the exact host, a plain path, and no service worker script: Lectern has none, so such a request is foreign.
 */
export function checkTarget({ headers, rawHeaders, url }: IncomingMessage, host: string): Verdict {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length !== 1 || headers.host !== host) return refuse(421, 'host')
  if (headers['service-worker'] !== undefined) return refuse(403, 'service worker')
  return plainPath(url ?? '') ? { ok: true } : refuse(404, 'path')
}

/**
 * Checks a request with a launch token. The token is the authority, so the request may come from a file or another program's
 * window, but then only as the navigation of a whole tab, never as a part of another page.
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
 * Checks a request to the app: {@link checkOrigin}, a session of this run, a known method, and for anything but a plain read
 * the tab's key, since the cookie is sent to any program that listens on a port of this computer.
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
  // A read request may include the key to check whether it is still valid.
  if (key === undefined && !upgrade && request.method !== 'PUT') return { ok: true }
  return typeof key === 'string' && context.holds(key) ? { ok: true } : refuse(401, 'key')
}

/** Returns the key in a socket's subprotocols: exactly ours, then the one with the key. */
function keyOfProtocols({ headers }: IncomingMessage): string | undefined {
  const [ours, withKey = '', ...more] = (headers['sec-websocket-protocol'] ?? '').split(/, ?/)
  if (ours !== tabKey.protocol || more.length > 0) return undefined
  if (!withKey.startsWith(tabKey.protocolPrefix)) return undefined
  return withKey.slice(tabKey.protocolPrefix.length)
}

/** Returns the session of a request; empty if it has none, or two (which would be ambiguous). */
function sessionOf(request: IncomingMessage, cookie: string): string {
  const prefix = `${cookie}=`
  const shown = (request.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(prefix))
  return shown.length === 1 ? (shown[0] ?? '').slice(prefix.length) : ''
}

/**
 * Whether a request target is a path in its canonical form. Refused: whole URLs, `//`, backslashes, dot segments and encoded
 * slashes, dots or control characters, since parsers could interpret such a path differently.
 */
function plainPath(target: string): boolean {
  if (!/^\/[\w\-.~!$&'()*+,;=:@%/?]*$/.test(target)) return false
  if (/\/\/|%(2[ef]|5c|[01][\da-f]|7f|25)|\/\.{1,2}(\/|\?|$)/i.test(target)) return false
  return !/%(?![0-9a-f]{2})/i.test(target)
}
