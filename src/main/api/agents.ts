import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import type { SecureContext } from 'node:tls'
import type { Dispatcher } from 'undici'
import { pinnedRemoteItem as pinnedLookup, type HostAddress } from '../security/remote-fetch.ts'
import { cancelled, isUnknownAuthority } from './network-errors.ts'
import { trusting } from './trust.ts'

/** Where connections come from: direct or through a proxy, with the authorities to trust. */
export interface Agents {
  /**
   * Runs a request with the dispatcher for its address. Node's own authorities are trusted first; a certificate of
   * another authority makes it run a second time with the system's and the user's, and from then on only so: reading
   * those costs a tenth of a second, which most people never need to pay.
   */
  use<T>(url: URL, request: (dispatcher: Dispatcher) => Promise<T>): Promise<T>
  /** Ends all connections at once; calls in flight fail as cancelled. */
  close(): Promise<void>
}

/** What choosing a connection needs from outside. */
export interface AgentDeps {
  proxyFor(url: string): Promise<string | null>
  extraCa(): Promise<readonly string[]>
  readonly connectTimeoutMs: number
  /** The one host that is asked, and the addresses it was judged by. Absent: hosts are found by their names. */
  readonly pinned?: { readonly hostname: string; readonly addresses: readonly HostAddress[] }
}

/** Whom a connection trusts: nobody is asked (plain http), Node's own list, or that and the system's and these PEM texts. */
type Trust = 'plain' | 'node' | { readonly extra: readonly string[] }

/** Proxies and sets of authorities that are kept ready at a time. */
const maxAgents = 8

/** Makes the pool of agents. undici itself is loaded with the first call, so that starting the app does not pay for it. */
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
      // An agent that could not be made has nothing to close.
      await Promise.allSettled(open.map(async (agent) => (await agent).destroy()))
    },
  }
}

/** Settings that changed leave agents behind; they end once their calls are done. */
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
  const { Agent, ProxyAgent } = await import('undici')
  // HTTP/1.1 only: the service needs no more, and one protocol keeps "did the request arrive" answerable.
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
    // Also for http: a proxy that is handed the request goes by the host that is named in it.
    ...(pinned && { proxyTunnel: true }),
    // The certificate is that of the name, also where the proxy connects by address.
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
 * Names the judged address to the proxy instead of the host: a proxy that resolved the name again could be led to an address that was
 * refused here. The host is still named in the request.
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
