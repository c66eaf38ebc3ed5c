import { open } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { AppError } from '../errors.ts'
import type { OutgoingBody } from './http.ts'

/** A field of a form, in the order it is to be sent. */
export type FormField =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly file: FormFile }

/** A file of a form, read from disk while it is sent. */
export interface FormFile {
  readonly path: string
  /** Its size on disk; a file that differs when it is opened is refused. */
  readonly bytes: number
  /** The name the service sees. */
  readonly name: string
  readonly mime: string
}

/** Bytes read from disk at a time: large enough for speed, small enough that memory does not follow the file's size. */
const pieceBytes = 192 * 1024

/**
 * A `multipart/form-data` body of known length (RFC 7578): fields in the given order, a repeated name once per value.
 * `boundary` must not occur in the content: pass a fresh random one.
 */
export function multipart(fields: readonly FormField[], boundary: string): OutgoingBody {
  const heads = fields.map((field) => Buffer.from(headOf(field, boundary), 'utf8'))
  const tail = Buffer.from(`--${boundary}--\r\n`, 'utf8')
  const lineEnd = Buffer.from('\r\n', 'utf8')
  const contents = fields.map((field) =>
    'file' in field ? field.file : Buffer.from(field.value.toWellFormed(), 'utf8'),
  )
  const bytes =
    tail.length +
    heads.reduce((sum, head) => sum + head.length + lineEnd.length, 0) +
    contents.reduce((sum, content) => sum + lengthOf(content), 0)

  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes,
    open: async function* () {
      for (const [index, head] of heads.entries()) {
        const content = contents[index]
        yield head
        if (content instanceof Uint8Array) yield content
        else if (content) yield* fileBytes(content)
        yield lineEnd
      }
      yield tail
    },
  }
}

/** A name inside a quoted header value: quotes and line breaks percent-encoded as browsers do, other control characters dropped. */
export function quotedName(name: string): string {
  return name
    .toWellFormed()
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A')
    .replaceAll('"', '%22')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '')
}

function headOf(field: FormField, boundary: string): string {
  const name = `--${boundary}\r\nContent-Disposition: form-data; name="${quotedName(field.name)}"`
  if (!('file' in field)) return `${name}\r\n\r\n`
  return `${name}; filename="${quotedName(field.file.name)}"\r\nContent-Type: ${field.file.mime}\r\n\r\n`
}

function lengthOf(content: Uint8Array | FormFile): number {
  return content instanceof Uint8Array ? content.byteLength : content.bytes
}

/** The file in pieces. Throws FILE_MISSING when it cannot be opened and DAMAGED_FILE when its size changed. */
async function* fileBytes(file: FormFile): AsyncIterable<Uint8Array> {
  const handle = await opened(file)
  try {
    if ((await handle.stat()).size !== file.bytes) throw changed(file)
    let position = 0
    while (position < file.bytes) {
      // A fresh buffer each time: the one before may still wait in the socket.
      const buffer = Buffer.allocUnsafeSlow(Math.min(pieceBytes, file.bytes - position))
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
      if (bytesRead === 0) throw changed(file)
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

async function opened(file: FormFile): Promise<FileHandle> {
  try {
    return await open(file.path, 'r')
  } catch {
    throw new AppError('FILE_MISSING', 'The file to send cannot be opened.', {
      params: { name: file.name },
    })
  }
}

function changed(file: FormFile): AppError {
  return new AppError('DAMAGED_FILE', 'The file changed while it was sent.', {
    params: { name: file.name },
  })
}
