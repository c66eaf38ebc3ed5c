import { open, stat } from 'node:fs/promises'
import type { Media } from '../../../shared/model/library.ts'
import { answerWith, refuse, refuseMethod } from './media-response.ts'

/**
 * Responds to GET and HEAD for a stored file: 200, 206 with one range, 416; 404 FILE_MISSING if it is no longer on disk.
 */
export async function respondWithFile(
  request: Request,
  media: Media,
  path: string,
): Promise<Response> {
  const refused = refuseMethod(request)
  if (refused) return refused
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) return refuse(404, 'FILE_MISSING')
  const { id: tag, mime, name } = media
  return answerWith(request, { tag, mime, name, size: found.size, open: () => open(path, 'r') })
}
