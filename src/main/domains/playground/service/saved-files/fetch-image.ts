import { localAccountId } from '../../../../../shared/provider/profiles.ts'
import { AppError } from '../../../../errors.ts'
import {
  bodyOf,
  fetchRemote,
  readCapped,
  remoteCaps,
  type HostAddress,
  type RemoteDeps,
} from '../../../../platform/security/remote-fetch.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { Accounts } from '../../../settings/index.ts'

/** Dependencies for fetching one image. */
export interface FetchImageDeps {
  readonly store: Pick<Store, 'accounts'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly remote: RemoteDeps
}

/**
 * Fetches a URL that a response references, by the rules for URLs in content. Only the hosts of `parsedBy`, the accounts
 * that received the document, may be private (one may be this computer); they may not redirect to other hosts, and the provider's
 * response cannot cause requests to another account's host. Throws as {@link fetchNamed}.
 */
export const fetchImage = (
  deps: FetchImageDeps,
  address: string,
  parsedBy: ReadonlySet<string>,
  signal: AbortSignal,
  isRequested = false,
): Promise<Uint8Array> =>
  fetchNamed(deps, { address, accountIds: parsedBy, kind: /^image\//, signal, isRequested })

/** A resource that a response references. */
interface NamedResource {
  readonly address: string
  /** IDs of the accounts whose providers referenced it. */
  readonly accountIds: ReadonlySet<string>
  /** Accepted content types. */
  readonly kind: RegExp
  readonly signal: AbortSignal
  /** Whether the user saw the URL and requested it. */
  readonly isRequested?: boolean
}

/** Fetches a resource of any type within {@link remoteCaps}. Throws as {@link fetchRemote} and {@link assertMayFetch}. */
export async function fetchNamed(deps: FetchImageDeps, thing: NamedResource): Promise<Uint8Array> {
  const own = await ownHost(deps, thing.address, thing.accountIds)
  if (own) return fromOwnHost(deps.remote, thing, own)
  if (thing.isRequested !== true) assertMayFetch(thing.accountIds)
  const { type, bytes } = await fetchRemote(thing.address, deps.remote, thing.signal)
  if (!thing.kind.test(type))
    throw new AppError('REFUSED', 'The content type is not the expected one')
  return bytes
}

/** Throws REFUSED where only this computer responded: on-device parsing causes no network requests. */
export function assertMayFetch(accountIds: ReadonlySet<string>): void {
  if (accountIds.size === 1 && accountIds.has(localAccountId))
    throw new AppError('REFUSED', 'On-device results do not load remote files')
}

/** Returns how to resolve a host that is the provider of one of these accounts; null for any other host. */
export async function ownHost(
  { store, accounts, remote }: FetchImageDeps,
  address: string,
  parsedBy: ReadonlySet<string>,
): Promise<(() => Promise<readonly HostAddress[]>) | null> {
  if (!URL.canParse(address)) return null
  const { origin, hostname } = new URL(address)
  if (parsedBy.has(localAccountId)) {
    const local = await accounts.target(localAccountId).catch(() => null)
    if (local && originOf(local.baseUrl) === origin)
      return async () => [{ address: '127.0.0.1', family: 4 }]
  }
  const candidates = store.accounts
    .list()
    .filter(({ id, profile }) => parsedBy.has(id) && originOf(profile.baseUrl) === origin)
  // An account of an imported archive may name any host. A key for this origin proves that the user chose the account.
  const keyed = await Promise.all(
    candidates.map(({ id }) =>
      accounts.target(id).then(
        ({ baseUrl }) => originOf(baseUrl) === origin,
        () => false,
      ),
    ),
  )
  return keyed.includes(true) ? () => remote.resolve(hostname.replace(/^\[|\]$/g, '')) : null
}

const originOf = (baseUrl: string): string | null =>
  URL.canParse(baseUrl) ? new URL(baseUrl).origin : null

async function fromOwnHost(
  remote: RemoteDeps,
  { address, kind, signal }: NamedResource,
  addresses: () => Promise<readonly HostAddress[]>,
): Promise<Uint8Array> {
  const timeout = AbortSignal.timeout(remoteCaps.milliseconds)
  try {
    const pinned = await addresses()
    const reply = await remote.get(address, { pinned, signal: AbortSignal.any([signal, timeout]) })
    const { body } = await bodyOf(address, reply, kind)
    return await readCapped(body, remoteCaps.bytes)
  } catch (error) {
    if (error instanceof AppError) throw error
    if (signal.aborted) throw new AppError('CANCELLED', 'Stopped')
    if (timeout.aborted) throw new AppError('TIMEOUT', 'The host did not respond in time')
    throw new AppError('OFFLINE', 'The host could not be reached', { retriable: true })
  }
}
