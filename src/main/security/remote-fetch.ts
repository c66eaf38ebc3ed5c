import { AppError } from '../errors.ts'
import { isPublicAddress } from './addresses.ts'

/** An address of a host, as a resolver gives it. */
export interface HostAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** One exchange with a pinned address; must not follow redirects and must not resolve the name again. */
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

/** Bounds of a fetch of something that a model, a document or a web page named. */
export const remoteCaps = {
  bytes: 20 * 1024 * 1024,
  milliseconds: 20_000,
  redirects: 3,
  types: /^(image\/(png|jpeg|gif|webp|avif)|audio\/|video\/mp4)/,
} as const

/** What a remote fetch needs from outside. */
export interface RemoteDeps {
  /** All addresses of a host name. */
  resolve(host: string): Promise<readonly HostAddress[]>
  readonly get: PinnedGet
}

/** What an address answered with: of an allowed type, its body not yet read. */
export interface RemoteBody {
  readonly url: string
  readonly type: string
  /** As the answer says; null where it does not. */
  readonly bytes: number | null
  readonly body: ReadableStream<Uint8Array> | null
}

/** A fetched thing: whole, of an allowed type, within the caps. */
export interface RemoteResource {
  readonly url: string
  readonly type: string
  readonly bytes: Uint8Array
}

/** Why an address is not fetched; the page has a sentence for each. */
type Problem = 'Address' | 'Scheme' | 'Credentials' | 'Port' | 'Host' | 'Redirects' | 'Type'

const refused = (message: string, problem: Problem): AppError =>
  new AppError('REFUSED', message, { params: { problem: `remote${problem}` } })

/** The URL when content may name it: https or http on a usual port, no credentials, no bare address of a private host. */
export function checkRemoteUrl(text: string): URL {
  if (!URL.canParse(text)) throw refused('Not an address', 'Address')
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw refused('Only https and http are fetched', 'Scheme')
  if (url.username !== '' || url.password !== '')
    throw refused('Addresses with credentials', 'Credentials')
  if (url.port !== '' && url.port !== '8080' && url.port !== '8443')
    throw refused('Unusual port', 'Port')
  return url
}

/** Resolves a host and refuses it unless every one of its addresses is public; these addresses, and no others, may be used. */
export async function pinnedAddresses(
  url: URL,
  resolve: RemoteDeps['resolve'],
): Promise<readonly HostAddress[]> {
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const literal = /^[\d.]+$/.test(name) || name.includes(':')
  const addresses: readonly HostAddress[] = literal
    ? [{ address: name, family: name.includes(':') ? 6 : 4 }]
    : await resolve(name)
  // One private address among public ones is how rebinding looks: the whole host is refused.
  if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address)))
    throw refused('The host is not a public one', 'Host')
  return addresses
}

/**
 * Fetches something that content named, for one click of the user. Each redirect is judged from the start. Throws
 * REFUSED (where it points, its type), LIMIT_EXCEEDED (size), TIMEOUT, CANCELLED, SERVICE_FAILED (status).
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
    if (timeout.aborted) throw new AppError('TIMEOUT', 'The host took too long')
    throw new AppError('OFFLINE', 'The host cannot be reached', { retriable: true })
  }
}

/**
 * The same up to the body, for what is too large to be held; `types` are the content types it may have. Throws REFUSED and
 * SERVICE_FAILED; what the connection throws is passed on.
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
  // A resolver cannot be stopped, so the wait for it is.
  const pinned = await unlessStopped(pinnedAddresses(url, deps.resolve), signal)
  const reply = await deps.get(url.href, { pinned, signal })
  const location = reply.headers.get('location')
  if (reply.status >= 300 && reply.status < 400 && location !== null) {
    await reply.body?.cancel()
    if (redirects === 0) throw refused('Too many redirects', 'Redirects')
    if (!URL.canParse(location, url.href)) throw refused('Not an address', 'Address')
    return follow(new URL(location, url).href, deps, signal, redirects - 1)
  }
  return bodyOf(url.href, reply, deps.types)
}

/** The body of a reply that is no redirect. Throws SERVICE_FAILED for any status but 200, REFUSED for a type that is not wanted. */
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
  if (reply.status === 200) throw refused('Not a picture or sound', 'Type')
  throw new AppError('SERVICE_FAILED', 'The host refused', { service: { status: reply.status } })
}

function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const stopped = new Promise<never>((_resolve, reject) => {
    const stop = (): void => reject(new Error('Stopped'))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
  return Promise.race([work, stopped])
}

/** Reads a body whole, and stops it (LIMIT_EXCEEDED) as soon as it is longer than `most` bytes, whatever its header said. */
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

/** A `lookup` for sockets that knows only the pinned addresses: a second look at DNS could answer differently. */
export function pinnedRemoteItem(pinned: readonly HostAddress[]) {
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
