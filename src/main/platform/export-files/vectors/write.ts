import { open, stat, type FileHandle } from 'node:fs/promises'
import { AppError } from '../../../errors.ts'
import { csvField } from '../csv.ts'
import { writeFileBy, type FileWriter } from '../file-writer.ts'
import { npyHead } from './npy.ts'
import { textsIn } from './texts.ts'

export type VectorFormat = 'npy' | 'csv' | 'jsonl'

export interface VectorExportRequest {
  readonly vectors: VectorFormat
  /**
   * File of 32-bit floats, little-endian, one vector after the other; optionally followed by all of them as exact 64-bit
   * floats.
   */
  readonly from: string
  readonly count: number
  /** File with one JSON object per line, as many as vectors. */
  readonly texts: string
  readonly model: string
  readonly dimensions: number
  /** Output path; must not exist yet. */
  readonly to: string
}

/** Number of vectors read at a time. */
const atOnce = 64

/**
 * Writes vectors to a file; returns its size in bytes. A text without a vector is NaN in npy, and has no numbers in csv and
 * jsonl.
 */
export async function writeVectors(request: VectorExportRequest): Promise<number> {
  const { vectors: format, from, count, dimensions, to } = request
  const { size } = await stat(from)
  const numbers = count * dimensions
  if (size !== numbers * 4 && size !== numbers * 12)
    throw new AppError('DAMAGED_FILE', 'The vectors have a different length')
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

/** Location of the rows in a file. */
interface Rows {
  readonly file: FileHandle
  readonly dimensions: number
  /** Bytes per number. */
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

/** Returns the numbers of one row as the response had them; null for a row without a vector. */
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
