import { createHash, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import tls, { type SecureContext } from 'node:tls'
import type { Dispatcher } from 'undici'
import { AppError } from '../errors.ts'
import { pinnedLookup, type HostAddress } from '../platform/security/remote-fetch.ts'
import { cancelled, isUnknownAuthority } from './network-errors.ts'

/** Provides connections: direct or through a proxy, with the trusted certificate authorities. */
export interface Agents {
  /**
   * Runs a request with the dispatcher for its URL. Node's own authorities are tried first. A certificate of an unknown
   * authority makes the request run again with the authorities of the system and the user, and from then on these are used:
   * loading them costs a tenth of a second, which most users never need.
   */
  use<T>(url: URL, request: (dispatcher: Dispatcher) => Promise<T>): Promise<T>
  /** Ends all connections at once; requests in flight fail with CANCELLED. */
  close(): Promise<void>
}

export interface AgentDeps {
  proxyFor(url: string): Promise<string | null>
  extraCa(): Promise<readonly string[]>
  readonly connectTimeoutMs: number
  /** The only host to contact, and its validated addresses. When absent, hosts are resolved by name. */
  readonly pinned?: { readonly hostname: string; readonly addresses: readonly HostAddress[] }
}

/**
 * Authorities a connection trusts: none (plain HTTP), Node's own list, or that list plus the system's and these PEM texts.
 */
type Trust = 'plain' | 'node' | { readonly extra: readonly string[] }

/** Maximum number of proxies and authority sets with open agents. */
const maxAgents = 8

/**
 * Creates the pool of agents. undici is loaded with the first request, so that it does not slow down the start of the app.
 */
export function createAgents(deps: AgentDeps): Agents {
  const agents = new Map<string, Promise<Dispatcher>>()
  const needSystem = new Set<string>()
  let closed = false

  const agentFor = (proxy: string | null, trust: Trust): Promise<Dispatcher> => {
    if (closed) return Promise.reject(cancelled())
    const name = `${proxy ?? 'direct'} ${typeof trust === 'string' ? trust : fingerprint(trust.extra)}`
    const known = agents.get(name)
    if (known) return known
    const made = makeAgent(proxy, trust, deps)
    agents.set(name, made)
    made.catch(() => agents.delete(name))
    retireOldest(agents)
    return made
  }

  return {
    async use(url, request) {
      const proxy = await deps.proxyFor(url.href)
      if (url.protocol !== 'https:') return request(await agentFor(proxy, 'plain'))
      const extra = await deps.extraCa()
      if (extra.length === 0 && !needSystem.has(url.origin))
        try {
          return await request(await agentFor(proxy, 'node'))
        } catch (error) {
          if (!isUnknownAuthority(error)) throw error
          needSystem.add(url.origin)
        }
      return request(await agentFor(proxy, { extra }))
    },
    async close() {
      closed = true
      const open = [...agents.values()]
      agents.clear()
      // An agent that could not be created needs no closing.
      await Promise.allSettled(open.map(async (agent) => (await agent).destroy()))
    },
  }
}

/** Retires agents left behind by changed settings; they close once their requests are done. */
function retireOldest(agents: Map<string, Promise<Dispatcher>>): void {
  const [oldest] = agents
  if (agents.size <= maxAgents || !oldest) return
  agents.delete(oldest[0])
  oldest[1].then((agent) => agent.close()).catch(() => {})
}

async function makeAgent(
  proxy: string | null,
  trust: Trust,
  { connectTimeoutMs: timeout, pinned }: AgentDeps,
): Promise<Dispatcher> {
  const context: { secureContext?: SecureContext } =
    typeof trust === 'string' ? {} : { secureContext: trusting(trust.extra) }
  const { Agent, ProxyAgent } = await import('./undici.ts')
  // HTTP/1.1 only: the provider needs no more, and a single protocol makes it possible to know whether the request arrived.
  const connect = { timeout, allowH2: false, ...context }
  if (proxy === null)
    return new Agent({
      allowH2: false,
      connect: { ...connect, ...(pinned && { lookup: pinnedLookup(pinned.addresses) }) },
    })
  const throughProxy = new ProxyAgent({
    uri: proxy,
    allowH2: false,
    connectTimeout: timeout,
    // Also for http: a proxy that receives the request directly goes by the host named in it.
    ...(pinned && { proxyTunnel: true }),
    // The certificate is checked against the name, even when the proxy connects by address.
    requestTls: {
      ...connect,
      ...(pinned && !isIP(pinned.hostname) && { servername: pinned.hostname }),
    },
    proxyTls: connect,
  })
  const [address] = pinned?.addresses ?? []
  return address ? throughProxy.compose(toAddress(address)) : throughProxy
}

/**
 * Passes the validated address to the proxy instead of the host: a proxy that resolved the name again could be directed to an
 * address that was rejected here. The request still names the host.
 */
function toAddress({ address, family }: HostAddress): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => {
    const url = new URL(String(options.origin))
    const { host } = url
    url.hostname = family === 6 ? `[${address}]` : address
    const headers = { ...(options.headers as Readonly<Record<string, string>>), host }
    return dispatch({ ...options, origin: url.origin, headers }, handler)
  }
}

function fingerprint(extra: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(extra)).digest('base64url')
}

/**
 * Creates a context that trusts Node's authorities, the system's and the given PEM texts. Meant to be created once per set:
 * it parses some hundred certificates. Throws TLS_UNTRUSTED when a PEM text contains no certificate.
 */
function trusting(extra: readonly string[]): tls.SecureContext {
  const all = new Set(
    [...authorities('default'), ...authorities('system')].map((pem) => pem.trim()),
  )
  try {
    for (const certificate of extra.flatMap(certificatesOf)) {
      // An invalid certificate would otherwise be ignored silently.
      all.add(new X509Certificate(certificate).toString().trim())
    }
    return tls.createSecureContext({ ca: [...all] })
  } catch {
    throw new AppError('TLS_UNTRUSTED', 'The additional certificate file cannot be read.', {
      params: { reason: 'ca-file' },
    })
  }
}

/** Returns each certificate of a PEM text; the text itself when it contains none. */
function certificatesOf(pem: string): readonly string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [pem]
}

/** Returns the authorities of one source. Not every build of Node or Electron provides the system's list. */
function authorities(source: 'default' | 'system'): readonly string[] {
  try {
    if (typeof tls.getCACertificates === 'function') return tls.getCACertificates(source)
  } catch {
    // The store could not be read; the bundled authorities still work.
  }
  return source === 'default' ? tls.rootCertificates : []
}
