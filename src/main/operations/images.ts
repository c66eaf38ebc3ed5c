import { base64Chunks } from '../api/file-chunks.ts'
import { AppError } from '../errors.ts'
import type { InputFile, OperationContext } from './operation.ts'

/**
 * Most bytes all pictures of one question may have: they go out as one text, which is made in one moment. No limit of the
 * service says how many there may be.
 */
export const maxTogether = 20 * 1024 * 1024

/**
 * Pictures as data URIs, read piece by piece. Throws UNSUPPORTED_FORMAT for what is no PNG or JPEG, FILE_TOO_LARGE for one over its
 * limit (`image`) or all over theirs (`images`), before any is read.
 */
export async function dataUris(
  context: Pick<OperationContext, 'file' | 'target'>,
  references: readonly string[],
): Promise<readonly string[]> {
  const pictures: InputFile[] = []
  for (const reference of references) pictures.push(await imageOf(context, reference))
  const bytes = pictures.reduce((sum, picture) => sum + picture.bytes, 0)
  if (bytes > maxTogether)
    throw new AppError(
      'FILE_TOO_LARGE',
      `The pictures together are over the limit: ${bytes} of ${maxTogether}.`,
      { params: { what: 'images', limit: maxTogether, value: bytes } },
    )
  const uris: string[] = []
  for (const picture of pictures) uris.push(await dataUri(picture))
  return uris
}

async function dataUri(picture: InputFile): Promise<string> {
  const pieces = [`data:${picture.mime};base64,`]
  for await (const piece of base64Chunks(picture)) {
    const { buffer, byteOffset, byteLength } = piece
    pieces.push(Buffer.from(buffer, byteOffset, byteLength).toString('latin1'))
  }
  return pieces.join('')
}

async function imageOf(
  context: Pick<OperationContext, 'file' | 'target'>,
  reference: string,
): Promise<InputFile> {
  const picture = await context.file(reference)
  if (picture.kind !== 'png' && picture.kind !== 'jpg')
    throw new AppError(
      'UNSUPPORTED_FORMAT',
      'Only PNG and JPEG pictures can be part of a message',
      { params: { kind: picture.kind, name: picture.name } },
    )
  const limit = context.target.limits.layout.imageBytes
  if (picture.bytes > limit)
    throw new AppError(
      'FILE_TOO_LARGE',
      `The picture is over the limit: ${picture.bytes} of ${limit}.`,
      { params: { what: 'image', limit, value: picture.bytes, name: picture.name } },
    )
  return picture
}
