import { base64Length, base64Chunks } from './file-chunks.ts'
import type { FormFile } from './file-chunks.ts'
import type { OutgoingBody } from './http.ts'

/**
 * Returns a JSON body whose field `name` is a file as a data URI, with fields before and after it. The file is read and
 * encoded while it is sent, so that it is never in memory as a whole, and the length is known in advance. There must be at
 * least one field on each side. Throws FILE_MISSING and DAMAGED_FILE while sending.
 */
export function dataUriBody(
  before: Readonly<Record<string, unknown>>,
  name: string,
  file: FormFile,
  after: Readonly<Record<string, unknown>>,
): OutgoingBody {
  const uri = `data:${file.mime};base64,`
  // The closing brace of the first object and the opening brace of the second are replaced by the field between them.
  const opening = `${JSON.stringify(before).slice(0, -1)},${JSON.stringify(name)}:`
  const head = Buffer.from(`${opening}${JSON.stringify(uri).slice(0, -1)}`, 'utf8')
  const tail = Buffer.from(`",${JSON.stringify(after).slice(1)}`, 'utf8')
  return {
    contentType: 'application/json',
    bytes: head.length + base64Length(file.bytes) + tail.length,
    open: async function* () {
      yield head
      yield* base64Chunks(file)
      yield tail
    },
  }
}
