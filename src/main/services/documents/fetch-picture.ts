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
export interface FetchPictureDeps {
  readonly store: Pick<Store, 'accounts'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly remote: RemoteDeps
}

/**
 * The bytes behind an address that a reply names, by the rules for addresses that content names. Only the hosts of `parsedBy`, the
 * accounts that got the document, may be private (one may be this computer); they are not followed elsewhere, and no other account's
 * host is asked on a service's word. Throws as {@link fetchRemote}.
 */
export async function fetchPicture(
  deps: FetchPictureDeps,
  address: string,
  parsedBy: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const own = await ownHost(deps, address, parsedBy)
  if (own) return fromOwnHost(deps.remote, address, own, signal)
  const { type, bytes } = await fetchRemote(address, deps.remote, signal)
  if (!type.startsWith('image/')) throw new AppError('REFUSED', 'Not a picture')
  return bytes
}

/** How the addresses of a host are found that is the service of one of these accounts; null for any other. */
export async function ownHost(
  { store, accounts, remote }: FetchPictureDeps,
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
  const isOwn = store.accounts
    .list()
    .some(({ id, profile }) => parsedBy.has(id) && originOf(profile.baseUrl) === origin)
  return isOwn ? () => remote.resolve(hostname.replace(/^\[|\]$/g, '')) : null
}

const originOf = (baseUrl: string): string | null =>
  URL.canParse(baseUrl) ? new URL(baseUrl).origin : null

async function fromOwnHost(
  remote: RemoteDeps,
  address: string,
  addresses: () => Promise<readonly HostAddress[]>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const timeout = AbortSignal.timeout(remoteCaps.milliseconds)
  try {
    const pinned = await addresses()
    const reply = await remote.get(address, { pinned, signal: AbortSignal.any([signal, timeout]) })
    const { body } = await bodyOf(address, reply, /^image\//)
    return await readCapped(body, remoteCaps.bytes)
  } catch (error) {
    if (error instanceof AppError) throw error
    if (signal.aborted) throw new AppError('CANCELLED', 'Stopped')
    if (timeout.aborted) throw new AppError('TIMEOUT', 'The host took too long')
    throw new AppError('OFFLINE', 'The host cannot be reached', { retriable: true })
  }
}
