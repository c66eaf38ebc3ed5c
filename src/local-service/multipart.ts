import { Busboy } from '@fastify/busboy'
import type { BusboyFileStream } from '@fastify/busboy'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from './errors.ts'

/** A file part while it arrives. `stream.truncated` is true at its end when it was larger than the limit. */
export interface FormFile {
  readonly filename: string
  readonly stream: BusboyFileStream
}

/** A multipart form that was read to its end. */
export interface Form<F> {
  /** Values in the order they came, by field name. */
  readonly fields: ReadonlyMap<string, readonly string[]>
  /** Names of fields whose value was longer than the limit. */
  readonly overlong: ReadonlySet<string>
  /** What became of the first file of the file field. */
  readonly file: F | undefined
  /** What became of all files that were taken, in the order they came. */
  readonly files: readonly F[]
}

/** Limits of a form, in bytes: of its file, and of each field. */
export interface FormLimits {
  readonly fileBytes: number
  readonly fieldBytes: number
  /** The field that holds files; absent: `file`. */
  readonly fileField?: string
  /** Files that are taken; absent: the first. */
  readonly files?: number
}

/** More parts than any call of the interface has: a hundred hotwords are the most that one repeats. */
const maxParts = 200

/** Files a form may have: those that are taken, or the one and another that a client sends beside it for reasons of its own. */
const maxFiles = ({ files = 1 }: FormLimits): number => Math.max(2, files)

/** Bytes that all fields of a form may have together beyond the limit of one. */
const otherFieldBytes = 1024 * 1024

function open(incoming: IncomingMessage, limits: FormLimits): InstanceType<typeof Busboy> {
  const contentType = incoming.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(contentType))
    throw new ServiceError('badRequest', 'The body must be multipart/form-data')
  try {
    return new Busboy({
      headers: { ...incoming.headers, 'content-type': contentType },
      // A part named `file` is one even when the client gave it no file name.
      isPartAFile: (field, _type, filename) =>
        filename !== undefined || field === (limits.fileField ?? 'file'),
      limits: {
        fileSize: limits.fileBytes,
        fieldSize: limits.fieldBytes,
        files: maxFiles(limits),
        parts: maxParts,
      },
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
  const works: Promise<F>[] = []
  const fileField = limits.fileField ?? 'file'
  let fieldBytes = 0
  let exceeded = ''

  busboy.on('partsLimit', () => (exceeded ||= `more than ${maxParts} parts`))
  busboy.on('filesLimit', () => (exceeded ||= `more than ${maxFiles(limits)} files`))
  busboy.on('field', (name, value, _nameCut, valueCut) => {
    fieldBytes += Buffer.byteLength(name) + Buffer.byteLength(value)
    if (fieldBytes > limits.fieldBytes + otherFieldBytes) exceeded ||= 'too many bytes in its fields'
    if (exceeded) return
    if (valueCut) overlong.add(name)
    const values = fields.get(name)
    if (values) values.push(value)
    else fields.set(name, [value])
  })
  busboy.on('file', (field, stream, filename) => {
    if (works.length === (limits.files ?? 1) || field !== fileField) {
      stream.resume()
      return
    }
    const work = takeFile({ filename: filename ?? '', stream })
      // Read to the end whatever happened, else the rest of the form never comes.
      .catch((error: unknown) => (stream.resume(), Promise.reject(error)))
    // Awaited below, when the form is at its end; until then a failure is not unheard of.
    work.catch(() => undefined)
    works.push(work)
  })

  try {
    await pipeline(incoming, busboy)
  } catch {
    await Promise.allSettled(works)
    throw new ServiceError('badRequest', 'The multipart body is damaged or incomplete')
  }
  // All of them: what one took must not be forgotten because another failed.
  await Promise.allSettled(works)
  const files = await Promise.all(works)
  if (exceeded) throw new ServiceError('badRequest', `The form has ${exceeded}`)
  return { fields, overlong, file: files[0], files }
}
