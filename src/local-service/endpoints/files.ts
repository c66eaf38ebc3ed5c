import { extname } from 'node:path'
import { engineNames } from '../../shared/provider/engine-names.ts'
import { ServiceError } from '../errors.ts'
import { fileBytes } from '../file-bytes.ts'
import { requiredField } from '../request-fields.ts'
import type { Upload } from '../file-store.ts'
import { readForm } from '../multipart.ts'
import { jsonReply } from '../http.ts'
import type { Handler } from '../context.ts'
import { imageEndings, maxUploadBytes, purposes } from '../../shared/provider/file-purposes.ts'

/** Engine name in responses of this family. */
const engine = engineNames.files

interface Received {
  readonly upload: Upload
  readonly filename: string
}

function checkUpload({ upload, filename }: Received, purpose: string): void {
  const rule = purposes.get(purpose)
  if (!rule) throw new ServiceError('fieldIllegal', 'purpose is not one of the known purposes')
  const ending = extname(filename).slice(1).toLowerCase()
  if (rule.endings && !rule.endings.includes(ending))
    throw new ServiceError('fieldIllegal', `file must be one of: ${rule.endings.join(', ')}`)
  const maxBytes = imageEndings.has(ending) ? (rule.imageBytes ?? rule.bytes) : rule.bytes
  if (upload.bytes > maxBytes)
    throw new ServiceError('fieldIllegal', `file must be at most ${maxBytes / 1024 / 1024} MB`)
  if (upload.bytes === 0) throw new ServiceError('fieldIllegal', 'file is empty')
}

/** `POST /paas/v4/files` (service-notes 2). */
export const uploadFile: Handler = async ({ incoming }, { files, clock }) => {
  const uploads: Upload[] = []
  try {
    const form = await readForm(
      incoming,
      { fileBytes: maxUploadBytes + 1, fieldBytes: 64 * 1024 },
      async ({ stream, filename }): Promise<Received> => {
        const upload = await files.receive(stream)
        uploads.push(upload)
        return { upload, filename }
      },
    )
    const received = form.file
    if (!received) throw new ServiceError('fieldMissing', 'file is required')
    const purpose = requiredField(form, 'purpose')
    checkUpload(received, purpose)
    const createdAt = Math.floor(clock() / 1000)
    const stored = await received.upload.keep({ filename: received.filename, purpose, createdAt })
    uploads.splice(uploads.indexOf(received.upload), 1)
    return jsonReply({ ...stored, engine })
  } finally {
    // Discards uploads that were not saved because validation failed.
    await Promise.all(uploads.map((upload) => upload.discard()))
  }
}

/** `GET /paas/v4/files?purpose&limit&after&order` (service-notes 2), newest first. */
export const listFiles: Handler = async ({ query }, { files }) => {
  const purpose = query.get('purpose')
  if (!purpose) throw new ServiceError('fieldMissing', 'purpose is required')
  if (!purposes.has(purpose))
    throw new ServiceError('fieldIllegal', 'purpose is not one of the known purposes')
  const limit = Number(query.get('limit') ?? 20)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    throw new ServiceError('fieldIllegal', 'limit must be a number from 1 to 100')
  if ((query.get('order') ?? 'created_at') !== 'created_at')
    throw new ServiceError('fieldIllegal', 'order must be created_at')
  const all = (await files.list()).filter((file) => file.purpose === purpose)
  const after = query.get('after')
  const cursor = after ? all.findIndex((file) => file.id === after) : -1
  if (after && cursor < 0) throw new ServiceError('fieldIllegal', 'after is not the id of a file')
  const data = all.slice(cursor + 1, cursor + 1 + limit)
  return jsonReply({ object: 'list', data, has_more: cursor + 1 + limit < all.length, engine })
}

/** `DELETE /paas/v4/files/{file_id}` (service-notes 2). */
export const deleteFile: Handler = async ({ params }, { files }) => {
  const id = params['id'] ?? ''
  if (!(await files.remove(id))) throw new ServiceError('fieldIllegal', 'File not found')
  return jsonReply({ id, object: 'file', deleted: true, engine })
}

/** `GET /paas/v4/files/{file_id}/content` (service-notes 2): returns the original bytes. */
export const fileContent: Handler = async ({ params }, { files }) => {
  const path = await files.pathOf(params['id'] ?? '')
  const body = path && (await fileBytes(path))
  if (!body) throw new ServiceError('fieldIllegal', 'File not found')
  // Binary responses have no field for the engine name, so it is sent as a header.
  const headers = { 'content-type': 'application/octet-stream', 'x-engine': engine }
  return { status: 200, headers, body }
}
