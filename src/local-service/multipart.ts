import { Busboy, type BusboyFileStream } from '@fastify/busboy'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { ServiceError } from './errors.ts'

/** File part that is being received. `stream.truncated` is true at its end if it exceeded the limit. */
export interface FormFile {
  readonly filename: string
  readonly stream: BusboyFileStream
}

/** Multipart form that was read completely. */
export interface Form<F> {
  /** Values in the order received, by field name. */
  readonly fields: ReadonlyMap<string, readonly string[]>
  /** Names of fields whose value exceeded the limit. */
  readonly overlong: ReadonlySet<string>
  /** Result for the first file of the file field. */
  readonly file: F | undefined
  /** Results for all accepted files, in the order received. */
  readonly files: readonly F[]
}

/** Limits of a form in bytes, per file and per field. */
interface FormLimits {
  readonly fileBytes: number
  readonly fieldBytes: number
  /** Name of the file field; default `file`. */
  readonly fileField?: string
  /** Maximum number of accepted files; default 1. */
  readonly files?: number
}

/** More parts than any request of the API has: the most repeated field is hotwords, with 100. */
const maxParts = 200

/**
 * Returns the maximum number of files in a form: the accepted ones, or one plus another that some clients send with it.
 */
const maxFiles = ({ files = 1 }: FormLimits): number => Math.max(2, files)

/** Maximum total bytes of all fields beyond the limit of one. */
const otherFieldBytes = 1024 * 1024

function open(incoming: IncomingMessage, limits: FormLimits): InstanceType<typeof Busboy> {
  const contentType = incoming.headers['content-type'] ?? ''
  if (!/^multipart\/form-data\b/i.test(contentType))
    throw new ServiceError('badRequest', 'The body must be multipart/form-data')
  try {
    return new Busboy({
      headers: { ...incoming.headers, 'content-type': contentType },
      // A part named `file` is a file even if the client sent no file name.
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
 * Reads a multipart body while it is received. `takeFile` must read its stream to the end. Reads and discards what
 * exceeds a limit, so that the client gets a response instead of a broken connection. Throws ServiceError for a damaged
 * body.
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
    if (fieldBytes > limits.fieldBytes + otherFieldBytes)
      exceeded ||= 'too many bytes in its fields'
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
      // Always read to the end; otherwise the rest of the form is never received.
      .catch((error: unknown) => (stream.resume(), Promise.reject(error)))
    // Awaited below when the form ends; prevents an unhandled rejection until then.
    work.catch(() => undefined)
    works.push(work)
  })

  try {
    await pipeline(incoming, busboy)
  } catch {
    await Promise.allSettled(works)
    throw new ServiceError('badRequest', 'The multipart body is damaged or incomplete')
  }
  // Waits for all: the result of one must not be lost because another failed.
  await Promise.allSettled(works)
  const files = await Promise.all(works)
  if (exceeded) throw new ServiceError('badRequest', `The form has ${exceeded}`)
  return { fields, overlong, file: files[0], files }
}
