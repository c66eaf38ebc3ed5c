import { open, stat, type FileHandle } from 'node:fs/promises'
import { AppError } from '../../errors.ts'
import { csvField } from '../documents/csv.ts'
import { writeFileBy, type FileWriter } from '../documents/file-writer.ts'
import { npyHead } from './npy.ts'
import { textsIn } from './texts.ts'

/** Formats of vectors. */
export type VectorFormat = 'npy' | 'csv' | 'jsonl'

/** What the worker of exports is asked for vectors. */
export interface VectorExportRequest {
  readonly vectors: VectorFormat
  /** 32-bit floats, little-endian, one vector after the other; behind them perhaps all of them again as 64-bit floats, which are exact. */
  readonly from: string
  /** Vectors. */
  readonly count: number
  /** One JSON object a line, as many as vectors. */
  readonly texts: string
  readonly model: string
  readonly dimensions: number
  /** Must not be there yet. */
  readonly to: string
}

/** Vectors read at a time. */
const atOnce = 64

/** Writes vectors as a file; gives its size in bytes. A text without a vector is NaN in npy, and has no numbers in csv and jsonl. */
export async function writeVectors(request: VectorExportRequest): Promise<number> {
  const { vectors: format, from, count, dimensions, to } = request
  const { size } = await stat(from)
  const numbers = count * dimensions
  if (size !== numbers * 4 && size !== numbers * 12)
    throw new AppError('DAMAGED_FILE', 'The vectors are not of this length')
  const file = await open(from, 'r')
  const isExact = size === numbers * 12
  const rows: Rows = { file, dimensions, width: isExact ? 8 : 4, start: isExact ? numbers * 4 : 0 }
  try {
    return await writeFileBy(to, (writer) =>
      format === 'npy' ? writeNpy(writer, rows, count) : writeRows(writer, rows, request),
    )
  } finally {
    await file.close()
  }
}

/** Where the rows of a file are. */
interface Rows {
  readonly file: FileHandle
  readonly dimensions: number
  /** Bytes of a number. */
  readonly width: 4 | 8
  readonly start: number
}

async function writeNpy(writer: FileWriter, rows: Rows, count: number): Promise<void> {
  await writer.write(npyHead(count, rows.dimensions, rows.width))
  for (let at = 0; at < count; at += atOnce)
    await writer.write(await rowsAt(rows, at, Math.min(count, at + atOnce)))
}

async function writeRows(
  writer: FileWriter,
  rows: Rows,
  { vectors: format, texts, model, dimensions }: VectorExportRequest,
): Promise<void> {
  if (format === 'csv') {
    const names = Array.from({ length: dimensions }, (_, at) => `v${at}`)
    await writer.write(`\uFEFFindex,text,${names.join(',')}\r\n`)
  }
  let index = 0
  for await (const { text } of textsIn(texts)) {
    const numbers = numbersIn(await rowsAt(rows, index, index + 1), rows.width)
    await writer.write(
      format === 'csv'
        ? `${index},${csvField(text)},${(numbers ?? blanks(dimensions)).join(',')}\r\n`
        : `${JSON.stringify({ index, text, model, dimensions, embedding: numbers })}\n`,
    )
    index += 1
  }
}

const blanks = (dimensions: number): readonly string[] =>
  Array.from({ length: dimensions }, () => '')

/** The numbers of one row, each as the reply had it; null for a row without a vector. */
function numbersIn(bytes: Buffer, width: 4 | 8): readonly number[] | null {
  const at = (place: number): number =>
    width === 4 ? bytes.readFloatLE(place * 4) : bytes.readDoubleLE(place * 8)
  if (Number.isNaN(at(0))) return null
  return Array.from({ length: bytes.length / width }, (_, place) => at(place))
}

async function rowsAt(rows: Rows, from: number, to: number): Promise<Buffer> {
  const rowBytes = rows.dimensions * rows.width
  const start = rows.start + from * rowBytes
  const bytes = Buffer.alloc((to - from) * rowBytes)
  for (let done = 0; done < bytes.length;) {
    const { bytesRead } = await rows.file.read(bytes, done, bytes.length - done, start + done)
    if (bytesRead === 0) throw new AppError('DAMAGED_FILE', 'There are fewer vectors than texts')
    done += bytesRead
  }
  return bytes
}
