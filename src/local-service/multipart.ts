import { Busboy } from '@fastify/busboy'
import type { BusboyFileStream } from '@fastify/busboy'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from './errors.ts'

/** A file part while it arrives. `stream.truncated` is true at its end when it was larger than the limit. */
export interface FormFile {
  readonly field: string
  readonly filename: string
  readonly stream: BusboyFileStream
}

/** A multipart form that was read to its end. */
export interface Form<F> {
  /** Values in the order they came, by field name. */
  readonly fields: ReadonlyMap<string, readonly string[]>
  /** Names of fields whose value was longer than the limit. */
  readonly overlong: ReadonlySet<string>
  /** What became of the first file of each field. */
  readonly files: ReadonlyMap<string, F>
}

/** Limits of a form, in bytes. */
export interface FormLimits {
  readonly fileBytes: number
  readonly fieldBytes: number
}

/** More parts than any call of the interface has. */
const mostFields = 1000

function open(incoming: IncomingMessage, limits: FormLimits): InstanceType<typeof Busboy> {
  const contentType = incoming.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(contentType))
    throw new ServiceError('badRequest', 'The body must be multipart/form-data')
  try {
    return new Busboy({
      headers: { ...incoming.headers, 'content-type': contentType },
      // A part named `file` is one even when the client gave it no file name.
      isPartAFile: (field, _type, filename) => filename !== undefined || field === 'file',
      limits: { fileSize: limits.fileBytes, fieldSize: limits.fieldBytes, fields: mostFields },
    })
  } catch {
    throw new ServiceError('badRequest', 'The multipart body has no boundary')
  }
}

/**
 * Reads a multipart body as it arrives. `takeFile` must read its stream to the end. What goes beyond a limit is read and
 * thrown away, so that the caller gets an answer instead of a broken connection. Throws ServiceError for a damaged body.
 */
export async function readForm<F>(
  incoming: IncomingMessage,
  limits: FormLimits,
  takeFile: (file: FormFile) => Promise<F>,
): Promise<Form<F>> {
  const busboy = open(incoming, limits)
  const fields = new Map<string, string[]>()
  const overlong = new Set<string>()
  const files = new Map<string, F>()
  const work: Promise<void>[] = []
  const seen = new Set<string>()
  let tooMany = false

  busboy.on('fieldsLimit', () => (tooMany = true))
  busboy.on('field', (name, value, _nameCut, valueCut) => {
    if (valueCut) overlong.add(name)
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  })
  busboy.on('file', (field, stream, filename) => {
    if (seen.has(field)) {
      stream.resume()
      return
    }
    seen.add(field)
    const taken = takeFile({ field, filename: filename ?? '', stream }).then((file) => {
      files.set(field, file)
    })
    // Read to the end whatever happened, else the rest of the form never comes.
    work.push(taken.catch((error: unknown) => (stream.resume(), Promise.reject(error))))
  })

  try {
    await pipeline(incoming, busboy)
  } catch {
    await Promise.allSettled(work)
    throw new ServiceError('badRequest', 'The multipart body is damaged or incomplete')
  }
  await Promise.all(work)
  if (tooMany) throw new ServiceError('badRequest', `The form has more than ${mostFields} fields`)
  return { fields, overlong, files }
}
