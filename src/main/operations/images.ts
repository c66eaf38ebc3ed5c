import { base64Chunks } from '../provider-client/file-chunks.ts'
import { AppError } from '../errors.ts'
import type { InputFile, OperationContext } from './operation.ts'

/**
 * Maximum total size in bytes of the images of one question: they are sent as one text, which is built at once. The provider
 * specifies no maximum number.
 */
const maxTotalBytes = 20 * 1024 * 1024

/**
 * Returns images as data URIs, read in chunks. Throws UNSUPPORTED_FORMAT for anything but PNG and JPEG, FILE_TOO_LARGE for
 * one above its limit (`image`) or for a total above theirs (`images`), before any is read.
 */
export async function dataUris(
  context: Pick<OperationContext, 'file' | 'target'>,
  references: readonly string[],
): Promise<readonly string[]> {
  const images: InputFile[] = []
  for (const reference of references) images.push(await imageOf(context, reference))
  const bytes = images.reduce((sum, image) => sum + image.bytes, 0)
  if (bytes > maxTotalBytes)
    throw new AppError(
      'FILE_TOO_LARGE',
      `The images exceed the total size limit: ${bytes} of ${maxTotalBytes}.`,
      { params: { what: 'images', limit: maxTotalBytes, value: bytes } },
    )
  const uris: string[] = []
  for (const image of images) uris.push(await dataUri(image))
  return uris
}

async function dataUri(image: InputFile): Promise<string> {
  const chunks = [`data:${image.mime};base64,`]
  for await (const chunk of base64Chunks(image)) {
    const { buffer, byteOffset, byteLength } = chunk
    chunks.push(Buffer.from(buffer, byteOffset, byteLength).toString('latin1'))
  }
  return chunks.join('')
}

async function imageOf(
  context: Pick<OperationContext, 'file' | 'target'>,
  reference: string,
): Promise<InputFile> {
  const image = await context.file(reference)
  if (image.kind !== 'png' && image.kind !== 'jpg')
    throw new AppError('UNSUPPORTED_FORMAT', 'Only PNG and JPEG images can be part of a message', {
      params: { kind: image.kind, name: image.name },
    })
  const limit = context.target.limits.layout.imageBytes
  if (image.bytes > limit)
    throw new AppError(
      'FILE_TOO_LARGE',
      `The image exceeds the size limit: ${image.bytes} of ${limit}.`,
      { params: { what: 'image', limit, value: image.bytes, name: image.name } },
    )
  return image
}
