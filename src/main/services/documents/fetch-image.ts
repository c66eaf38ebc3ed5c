import { localAccountId } from '../../../shared/service/profiles.ts'
import { AppError } from '../../errors.ts'
import {
  bodyOf,
  fetchRemote,
  readCapped,
  remoteCaps,
  type HostAddress,
  type RemoteDeps,
} from '../../security/remote-fetch.ts'
import type { Store } from '../../store/types.ts'
import type { Accounts } from '../accounts/accounts.ts'

/** What fetching one picture needs. */
export interface FetchImageDeps {
  readonly store: Pick<Store, 'accounts'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly remote: RemoteDeps
}

/**
 * The bytes behind an address that a reply names, by the rules for addresses that content names. Only the hosts of `parsedBy`, the
 * accounts that got the document, may be private (one may be this computer); they are not followed elsewhere, and no other account's
 * host is asked on a service's word. Throws as {@link fetchNamed}.
 */
export const fetchImage = (
  deps: FetchImageDeps,
  address: string,
  parsedBy: ReadonlySet<string>,
  signal: AbortSignal,
  isRequested = false,
): Promise<Uint8Array> =>
  fetchNamed(deps, { address, accountIds: parsedBy, kind: /^image\//, signal, isRequested })

/** A thing that a reply names. */
export interface NamedResource {
  readonly address: string
  /** Ids of the accounts whose services named it. */
  readonly accountIds: ReadonlySet<string>
  /** Which content types are taken. */
  readonly kind: RegExp
  readonly signal: AbortSignal
  /** The user saw the address and asked for it. */
  readonly isRequested?: boolean
}

/** The same for a thing of any kind that {@link remoteCaps} allow. Throws as {@link fetchRemote} and {@link assertMayFetch}. */
export async function fetchNamed(deps: FetchImageDeps, thing: NamedResource): Promise<Uint8Array> {
  const own = await ownHost(deps, thing.address, thing.accountIds)
  if (own) return fromOwnHost(deps.remote, thing, own)
  if (thing.isRequested !== true) assertMayFetch(thing.accountIds)
  const { type, bytes } = await fetchRemote(thing.address, deps.remote, thing.signal)
  if (!thing.kind.test(type)) throw new AppError('REFUSED', 'Not what was looked for')
  return bytes
}

/** Throws REFUSED where only this computer answered: what it reads calls nobody. */
export function assertMayFetch(accountIds: ReadonlySet<string>): void {
  if (accountIds.size === 1 && accountIds.has(localAccountId))
    throw new AppError('REFUSED', 'This computer fetches nothing by itself')
}

/** How the addresses of a host are found that is the service of one of these accounts; null for any other. */
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
  // An account of an imported archive names any host. One that has a key for this origin was given it by the user.
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
    if (timeout.aborted) throw new AppError('TIMEOUT', 'The host took too long')
    throw new AppError('OFFLINE', 'The host cannot be reached', { retriable: true })
  }
}
