import type { FileAnswer, FileRequest } from './file-messages.ts'
import { readTable, type ReadTable } from './table.ts'

/** Maximum file size in bytes: a list of texts is smaller. */
const maxBytes = 64 * 1024 * 1024

let table: ReadTable | null = null

/** Reads files off the main thread: a long csv takes longer than a frame. */
async function answer(request: FileRequest): Promise<FileAnswer> {
  if (request.type === 'rows') return { type: 'rows', rows: table?.rows(request.choice) ?? [] }
  const { file } = request
  table = null
  if (file.size > maxBytes) return { type: 'failed', why: 'large' }
  const text = decoded(new Uint8Array(await file.arrayBuffer()))
  if (text === null) return { type: 'failed', why: 'binary' }
  table = readTable(file.name, text)
  const { kind, fields, broken } = table
  return { type: 'read', table: { kind, fields, broken } }
}

/** Decodes a text: by its byte order mark, else UTF-8, else GB 18030, for older Chinese files; null if it is not text. */
function decoded(bytes: Uint8Array): string | null {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes.subarray(0, 65_536).includes(0)) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

self.onmessage = ({ data }: MessageEvent<FileRequest>): void => {
  void answer(data)
    .catch((): FileAnswer => ({ type: 'failed', why: 'unreadable' }))
    .then((result) => self.postMessage(result))
}
