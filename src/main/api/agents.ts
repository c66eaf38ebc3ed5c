import { createHash, X509Certificate } from 'node:crypto'
import tls from 'node:tls'
import type { Dispatcher } from 'undici'
import { AppError } from '../errors.ts'

/** Where connections come from: direct or through a proxy, with the authorities to trust. */
export interface Agents {
  /** The dispatcher for one URL; made on first use, shared afterwards. */
  forUrl(url: URL): Promise<Dispatcher>
  /** Ends all connections at once; calls in flight fail as cancelled. */
  close(): Promise<void>
}

/** What choosing a connection needs from outside. */
export interface AgentDeps {
  proxyFor(url: string): Promise<string | null>
  extraCa(): Promise<readonly string[]>
  readonly connectTimeoutMs: number
}

/** Makes the pool of agents. undici itself is loaded with the first call, so that starting the app does not pay for it. */
export function createAgents(deps: AgentDeps): Agents {
  const agents = new Map<string, Promise<Dispatcher>>()
  let closed = false

  return {
    async forUrl(url) {
      const secure = url.protocol === 'https:'
      const [proxy, extra] = await Promise.all([
        deps.proxyFor(url.href),
        secure ? deps.extraCa() : [],
      ])
      if (closed) throw new AppError('CANCELLED', 'The client is closed.')
      const name = `${proxy ?? 'direct'} ${secure ? fingerprint(extra) : 'plain'}`
      const known = agents.get(name)
      if (known) return known
      const made = makeAgent(proxy, secure ? trusting(extra) : null, deps.connectTimeoutMs)
      agents.set(name, made)
      made.catch(() => agents.delete(name))
      return made
    },
    async close() {
      closed = true
      const all = await Promise.allSettled(agents.values())
      agents.clear()
      await Promise.all(
        all.map((agent) => (agent.status === 'fulfilled' ? agent.value.destroy() : null)),
      )
    },
  }
}

async function makeAgent(
  proxy: string | null,
  secureContext: tls.SecureContext | null,
  timeout: number,
): Promise<Dispatcher> {
  const { Agent, ProxyAgent } = await import('undici')
  const trust = secureContext ? { secureContext } : {}
  // HTTP/1.1 only: the service needs no more, and one protocol keeps "did the request arrive" answerable.
  const connect = { timeout, allowH2: false, ...trust }
  if (proxy === null) return new Agent({ allowH2: false, connect })
  return new ProxyAgent({
    uri: proxy,
    allowH2: false,
    connectTimeout: timeout,
    requestTls: connect,
    proxyTls: connect,
  })
}

/**
 * One context that trusts Node's authorities, the system's and the user's. Built once per set, because reading some
 * hundred certificates for each connection costs tens of milliseconds.
 */
function trusting(extra: readonly string[]): tls.SecureContext {
  try {
    // A context made of nonsense would be made without a word.
    for (const certificate of extra.flatMap(certificatesOf)) new X509Certificate(certificate)
    return tls.createSecureContext({
      ca: [...authorities('default'), ...authorities('system'), ...extra],
    })
  } catch {
    throw new AppError('TLS_UNTRUSTED', 'The additional certificate file cannot be read.', {
      params: { reason: 'ca-file' },
    })
  }
}

/** Each certificate of a PEM text; the text itself when it holds none. */
function certificatesOf(pem: string): readonly string[] {
  return pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [pem]
}

/** The authorities of one source. Not every build of Node or Electron offers the system's list. */
function authorities(source: 'default' | 'system'): readonly string[] {
  try {
    if (typeof tls.getCACertificates === 'function') return tls.getCACertificates(source)
  } catch {
    // The store could not be read; the bundled authorities still work.
  }
  return source === 'default' ? tls.rootCertificates : []
}

function fingerprint(extra: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(extra)).digest('base64url')
}
