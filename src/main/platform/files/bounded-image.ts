import { AppError } from '../../errors.ts'
import { headOf, kindOfFile, refuseHuge } from './image-header.ts'
import type { Media } from '../../../shared/model/library.ts'
import type { MediaFiles } from './files.ts'

/**
 * Returns an image from a provider or a web page if the window can decode it; removes any other, since some kilobytes can
 * expand to gigabytes. Throws LIMIT_EXCEEDED and DAMAGED_FILE.
 */
export async function modestImage(
  files: Pick<MediaFiles, 'path' | 'remove'>,
  media: Media,
): Promise<Media> {
  try {
    const path = await files.path(media.id)
    const kind = await kindOfFile(path)
    // Browsers display neither of them.
    if (kind === 'unknown' || kind === 'tiff') return media
    const head = await headOf(path, kind)
    // Decoders accept some PNGs and JPEGs whose headers are irregular: their size is unknown.
    if (!head && (kind === 'png' || kind === 'jpeg'))
      throw new AppError('DAMAGED_FILE', 'The header of the image cannot be read')
    if (head) refuseHuge(head.width, head.height)
    return media
  } catch (error) {
    await files.remove(media.id)
    throw error
  }
}
