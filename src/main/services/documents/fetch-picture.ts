import { localAccountId } from '../../../shared/service/profiles.ts'
import { AppError } from '../../errors.ts'
import {
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
 * The bytes behind an address that a reply names, by the rules for addresses that content names. Only the host of an account may be
 * private: it got the document, and may be this computer; it is not followed elsewhere. Throws as {@link fetchRemote}.
 */
export async function fetchPicture(
  deps: FetchPictureDeps,
  address: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const own = await ownAddresses(deps, address)
  if (own) return fromOwnHost(deps.remote, address, own, signal)
  const { type, bytes } = await fetchRemote(address, deps.remote, signal)
  if (!type.startsWith('image/')) throw new AppError('REFUSED', 'Not a picture')
  return bytes
}

async function ownAddresses(
  { store, accounts, remote }: FetchPictureDeps,
  address: string,
): Promise<readonly HostAddress[] | null> {
  if (!URL.canParse(address)) return null
  const { origin, hostname } = new URL(address)
  const local = await accounts.target(localAccountId).catch(() => null)
  if (local && originOf(local.baseUrl) === origin) return [{ address: '127.0.0.1', family: 4 }]
  const isOwn = store.accounts.list().some(({ profile }) => originOf(profile.baseUrl) === origin)
  return isOwn ? remote.resolve(hostname.replace(/^\[|\]$/g, '')) : null
}

const originOf = (baseUrl: string): string | null =>
  URL.canParse(baseUrl) ? new URL(baseUrl).origin : null

async function fromOwnHost(
  remote: RemoteDeps,
  address: string,
  pinned: readonly HostAddress[],
  signal: AbortSignal,
): Promise<Uint8Array> {
  const timeout = AbortSignal.timeout(remoteCaps.milliseconds)
  try {
    const reply = await remote.get(address, { pinned, signal: AbortSignal.any([signal, timeout]) })
    const type = reply.headers.get('content-type')?.trim().toLowerCase() ?? ''
    if (reply.status === 200 && type.startsWith('image/'))
      return await readCapped(reply.body, remoteCaps.bytes)
    await reply.body?.cancel()
    if (reply.status === 200) throw new AppError('REFUSED', 'Not a picture')
    throw new AppError('SERVICE_FAILED', 'The host refused', { service: { status: reply.status } })
  } catch (error) {
    if (error instanceof AppError) throw error
    if (signal.aborted) throw new AppError('CANCELLED', 'Stopped')
    if (timeout.aborted) throw new AppError('TIMEOUT', 'The host took too long')
    throw new AppError('OFFLINE', 'The host cannot be reached', { retriable: true })
  }
}
