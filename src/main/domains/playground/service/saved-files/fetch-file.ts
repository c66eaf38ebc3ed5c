import type { SavedRole } from '../../../../../shared/model/saved-file.ts'
import { AppError } from '../../../../errors.ts'
import { bodyOf, openRemote, type RemoteBody } from '../../../../platform/security/remote-fetch.ts'
import { assertMayFetch, ownHost, type FetchImageDeps } from './fetch-image.ts'

/**
 * Allowed response content types for each role; file hosts often send `application/octet-stream`. The bytes are checked
 * afterwards.
 */
const announced: Readonly<Record<SavedRole, RegExp>> = {
  video: /^(video\/|(application|binary)\/octet-stream|$)/,
  audio: /^(audio\/|(application|binary)\/octet-stream|$)/,
  cover: /^(image\/|(application|binary)\/octet-stream|$)/,
  image: /^(image\/|(application|binary)\/octet-stream|$)/,
  page: /^(image\/|(application|binary)\/octet-stream|$)/,
  // An expired link often returns an HTML page with a success status.
  file: /^(?!text\/html)/,
}

/** Required type of the bytes for each role, as detected by `media/sniff.ts`. */
const found: Readonly<Record<SavedRole, RegExp>> = {
  video: /^video\//,
  audio: /^audio\//,
  cover: /^image\//,
  image: /^image\//,
  page: /^image\//,
  file: /./,
}

/** Throws REFUSED if the bytes of a file do not match its role. */
export function checkFound(role: SavedRole, mime: string): void {
  if (!found[role].test(mime))
    throw new AppError('REFUSED', 'The file type is not the one that the response specifies', {
      params: { problem: 'remoteType' },
    })
}

/** Maximum time until the response headers, in milliseconds. */
const headMs = 30_000

/**
 * Opens a file from a URL in a response, by the rules for untrusted URLs. Only the host of the account that gave the response may
 * be private, and redirects from it to other hosts are not followed. Throws REFUSED (its target, its type), SERVICE_FAILED (its
 * status), TIMEOUT, OFFLINE, CANCELLED.
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
    if (late.signal.aborted) throw new AppError('TIMEOUT', 'The host did not respond in time')
    throw new AppError('OFFLINE', 'The host could not be reached', { retriable: true })
  } finally {
    clearTimeout(timer)
  }
}
