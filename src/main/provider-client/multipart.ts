import { fileChunks, type FormFile } from './file-chunks.ts'
import type { OutgoingBody } from './http.ts'

export type { FormFile } from './file-chunks.ts'

/** A file to send that is already in memory. */
interface MemoryFile {
  readonly content: Uint8Array
  /** File name sent to the provider. */
  readonly name: string
  readonly mime: string
}

/** A field of a form, in sending order. */
export type FormField =
  | { readonly name: string; readonly value: string }
  | { readonly name: string; readonly file: FormFile | MemoryFile }

/**
 * Creates a `multipart/form-data` body of known length (RFC 7578): fields in the given order, a repeated name once per value.
 * `boundary` must not occur in the content: pass a new random one.
 */
export function multipart(fields: readonly FormField[], boundary: string): OutgoingBody {
  const heads = fields.map((field) => Buffer.from(headOf(field, boundary), 'utf8'))
  const tail = Buffer.from(`--${boundary}--\r\n`, 'utf8')
  const lineEnd = Buffer.from('\r\n', 'utf8')
  const contents = fields.map(contentOf)
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
        else if (content) yield* fileChunks(content)
        yield lineEnd
      }
      yield tail
    },
  }
}

/**
 * Returns a name for a quoted header value: quotes and line breaks are percent-encoded as in browsers, other control
 * characters dropped.
 */
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

function contentOf(field: FormField): Uint8Array | FormFile {
  if (!('file' in field)) return Buffer.from(field.value.toWellFormed(), 'utf8')
  return 'content' in field.file ? field.file.content : field.file
}

function lengthOf(content: Uint8Array | FormFile): number {
  return content instanceof Uint8Array ? content.byteLength : content.bytes
}
