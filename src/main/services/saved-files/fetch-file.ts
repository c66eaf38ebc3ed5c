import type { SavedRole } from '../../../shared/model/saved-file.ts'
import { AppError } from '../../errors.ts'
import { bodyOf, openRemote, type RemoteBody } from '../../security/remote-fetch.ts'
import { assertMayFetch, ownHost, type FetchImageDeps } from '../documents/fetch-image.ts'

/** Content types that an answer may have for each role; hosts of files often say `application/octet-stream`. The bytes are judged afterwards. */
const announced: Readonly<Record<SavedRole, RegExp>> = {
  video: /^(video\/|(application|binary)\/octet-stream|$)/,
  audio: /^(audio\/|(application|binary)\/octet-stream|$)/,
  cover: /^(image\/|(application|binary)\/octet-stream|$)/,
  image: /^(image\/|(application|binary)\/octet-stream|$)/,
  page: /^(image\/|(application|binary)\/octet-stream|$)/,
  // A page of HTML is what an expired link often gives with a success.
  file: /^(?!text\/html)/,
}

/** What the bytes themselves must be for each role, as `media/sniff.ts` tells. */
const found: Readonly<Record<SavedRole, RegExp>> = {
  video: /^video\//,
  audio: /^audio\//,
  cover: /^image\//,
  image: /^image\//,
  page: /^image\//,
  file: /./,
}

/** Throws REFUSED when the bytes of a file are not what its role says. */
export function checkFound(role: SavedRole, mime: string): void {
  if (!found[role].test(mime))
    throw new AppError('REFUSED', 'The file is not what the reply calls it', {
      params: { problem: 'remoteType' },
    })
}

/** Milliseconds until the head of an answer must be there. */
const headMs = 30_000

/**
 * Opens a file that a reply names, by the rules for addresses that content names. Only the host of the account that gave the reply may
 * be private, and is not followed elsewhere. Throws REFUSED (where it points, its type), SERVICE_FAILED (its status), TIMEOUT, OFFLINE,
 * CANCELLED.
 */
export async function openFile(
  deps: FetchImageDeps,
  file: { readonly address: string; readonly role: SavedRole; readonly accountId: string },
  signal: AbortSignal,
): Promise<RemoteBody> {
  const { address, role, accountId } = file
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), headMs)
  const both = AbortSignal.any([signal, late.signal])
  try {
    const accountIds = new Set([accountId])
    const own = await ownHost(deps, address, accountIds)
    if (!own) {
      assertMayFetch(accountIds)
      return await openRemote(address, deps.remote, announced[role], both)
    }
    const reply = await deps.remote.get(address, { pinned: await own(), signal: both })
    return await bodyOf(address, reply, announced[role])
  } catch (error) {
    if (error instanceof AppError) throw error
    if (signal.aborted) throw new AppError('CANCELLED', 'Stopped')
    if (late.signal.aborted) throw new AppError('TIMEOUT', 'The host took too long')
    throw new AppError('OFFLINE', 'The host cannot be reached', { retriable: true })
  } finally {
    clearTimeout(timer)
  }
}
