import { AppError } from '../../errors.ts'
import { isPublicAddress } from './addresses.ts'

/** An address of a host as returned by a resolver. */
export interface HostAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** One request to a pinned address; must not follow redirects and must not resolve the name again. */
export interface PinnedGet {
  (
    url: string,
    options: { readonly pinned: readonly HostAddress[]; readonly signal: AbortSignal },
  ): Promise<{
    readonly status: number
    readonly headers: Headers
    readonly body: ReadableStream<Uint8Array> | null
  }>
}

/** Limits of a fetch of a URL that a model, a document or a web page contained. */
export const remoteCaps = {
  bytes: 20 * 1024 * 1024,
  milliseconds: 20_000,
  redirects: 3,
  types: /^(image\/(png|jpeg|gif|webp|avif)|audio\/|video\/mp4)/,
} as const

export interface RemoteDeps {
  resolve(host: string): Promise<readonly HostAddress[]>
  readonly get: PinnedGet
}

/** Response of an allowed type whose body has not been read yet. */
export interface RemoteBody {
  readonly url: string
  readonly type: string
  /** As specified in the response; null if unspecified. */
  readonly bytes: number | null
  readonly body: ReadableStream<Uint8Array> | null
}

/** A fetched resource: complete, of an allowed type, within the limits. */
interface RemoteResource {
  readonly url: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** Why an address is not fetched; the page has a message for each. */
type Problem = 'Address' | 'Scheme' | 'Credentials' | 'Port' | 'Host' | 'Redirects' | 'Type'

const refused = (message: string, problem: Problem): AppError =>
  new AppError('REFUSED', message, { params: { problem: `remote${problem}` } })

/** Returns the URL if content may reference it: https or http on a default port, no credentials, no private IP address. */
function checkRemoteUrl(text: string): URL {
  if (!URL.canParse(text)) throw refused('Not a URL', 'Address')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refused('Only https and http are supported', 'Scheme')
  if (url.username !== '' || url.password !== '')
    throw refused('URLs with credentials are not supported', 'Credentials')
  if (url.port !== '' && url.port !== '8080' && url.port !== '8443')
    throw refused('Nonstandard port', 'Port')
  return url
}

/** Resolves a host and throws unless all of its addresses are public; only the returned addresses may be used. */
async function pinnedAddresses(
  url: URL,
  resolve: RemoteDeps['resolve'],
): Promise<readonly HostAddress[]> {
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const literal = /^[\d.]+$/.test(name) || name.includes(':')
  const addresses: readonly HostAddress[] = literal
    ? [{ address: name, family: name.includes(':') ? 6 : 4 }]
    : await resolve(name)
  // A private address among public ones indicates DNS rebinding: the whole host is refused.
  if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
    throw refused('The host is not public', 'Host')
  return addresses
}

/**
 * Fetches a URL that content referenced, for one click of the user. Each redirect is checked from the start. Throws
 * REFUSED (target or type), LIMIT_EXCEEDED (size), TIMEOUT, CANCELLED, SERVICE_FAILED (status).
 */
export async function fetchRemote(
  text: string,
  deps: RemoteDeps,
  signal?: AbortSignal,
): Promise<RemoteResource> {
  const timeout = AbortSignal.timeout(remoteCaps.milliseconds)
  const both = signal ? AbortSignal.any([signal, timeout]) : timeout
  try {
    const { url, type, body } = await openRemote(text, deps, remoteCaps.types, both)
    return { url, type, bytes: await readCapped(body, remoteCaps.bytes) }
  } catch (error) {
    if (error instanceof AppError) throw error
    if (signal?.aborted) throw new AppError('CANCELLED', 'Stopped')
    if (timeout.aborted) throw new AppError('TIMEOUT', 'The host did not respond in time')
    throw new AppError('OFFLINE', 'The host could not be reached', { retriable: true })
  }
}

/**
 * Like `fetchRemote`, but stops before reading the body, for resources too large for memory; `types` are the allowed
 * content types. Throws REFUSED and SERVICE_FAILED; errors of the connection are passed on.
 */
export function openRemote(
  text: string,
  deps: RemoteDeps,
  types: RegExp,
  signal: AbortSignal,
): Promise<RemoteBody> {
  return follow(text, { ...deps, types }, signal, remoteCaps.redirects)
}

async function follow(
  text: string,
  deps: RemoteDeps & { readonly types: RegExp },
  signal: AbortSignal,
  redirects: number,
): Promise<RemoteBody> {
  const url = checkRemoteUrl(text)
  // A resolver cannot be stopped, so the wait is aborted instead.
  const pinned = await unlessStopped(pinnedAddresses(url, deps.resolve), signal)
  const reply = await deps.get(url.href, { pinned, signal })
  const location = reply.headers.get('location')
  if (reply.status >= 300 && reply.status < 400 && location !== null) {
    await reply.body?.cancel()
    if (redirects === 0) throw refused('Too many redirects', 'Redirects')
    if (!URL.canParse(location, url.href)) throw refused('Not a URL', 'Address')
    return follow(new URL(location, url).href, deps, signal, redirects - 1)
  }
  return bodyOf(url.href, reply, deps.types)
}

/** Returns the body of a non-redirect response. Throws SERVICE_FAILED for any status but 200, REFUSED for an unwanted type. */
export async function bodyOf(
  url: string,
  reply: Awaited<ReturnType<PinnedGet>>,
  types: RegExp,
): Promise<RemoteBody> {
  const type = reply.headers.get('content-type')?.trim().toLowerCase() ?? ''
  if (reply.status === 200 && types.test(type)) {
    const length = reply.headers.get('content-length') ?? ''
    return { url, type, bytes: /^\d+$/.test(length) ? Number(length) : null, body: reply.body }
  }
  await reply.body?.cancel()
  if (reply.status === 200) throw refused('Not an image or audio', 'Type')
  throw new AppError('SERVICE_FAILED', 'The host rejected the request', {
    service: { status: reply.status },
  })
}

function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = new Promise<never>((_resolve, reject) => {
    const stop = (): void => reject(new Error('Stopped'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  return Promise.race([work, stopped])
}

/** Reads a whole body and stops (LIMIT_EXCEEDED) once it exceeds `most` bytes, whatever its header specified. */
export async function readCapped(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let total = 0
  // Leaving the loop early cancels the stream.
  for await (const chunk of body ?? []) {
    total += chunk.byteLength
    if (total > maxBytes)
      throw new AppError('LIMIT_EXCEEDED', 'The file is too large', { params: { limit: maxBytes } })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A `lookup` for sockets that returns only the pinned addresses: a second DNS query could return different ones. */
export function pinnedLookup(pinned: readonly HostAddress[]) {
  return (
    _host: string,
    options: { readonly all?: boolean | undefined },
    done: (
      error: Error | null,
      address: string | { address: string; family: number }[],
      family?: number,
    ) => void,
  ): void => {
    const [first] = pinned
    if (!first) return done(new Error('No address'), '')
    if (options.all) return done(null, [...pinned])
    done(null, first.address, first.family)
  }
}
