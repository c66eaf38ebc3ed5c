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
  /** 32-bit floats, little-endian, one vector after the other. */
  readonly from: string
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
  const { vectors: format, from, dimensions, to } = request
  const rowBytes = dimensions * 4
  const { size } = await stat(from)
  if (size % rowBytes !== 0)
    throw new AppError('DAMAGED_FILE', 'The vectors are not of this length')
  const source = await open(from, 'r')
  try {
    return await writeFileBy(to, (file) =>
      format === 'npy'
        ? writeNpy(file, source, size / rowBytes, dimensions)
        : writeRows(file, source, request),
    )
  } finally {
    await source.close()
  }
}

async function writeNpy(
  file: FileWriter,
  source: FileHandle,
  rows: number,
  dimensions: number,
): Promise<void> {
  await file.write(npyHead(rows, dimensions))
  for (let at = 0; at < rows; at += atOnce)
    await file.write(await rowsAt(source, at, Math.min(rows, at + atOnce), dimensions))
}

async function writeRows(
  file: FileWriter,
  source: FileHandle,
  { vectors: format, texts, model, dimensions }: VectorExportRequest,
): Promise<void> {
  if (format === 'csv') {
    const names = Array.from({ length: dimensions }, (_, at) => `v${at}`)
    await file.write(`\uFEFFindex,text,${names.join(',')}\r\n`)
  }
  let index = 0
  for await (const { text } of textsIn(texts)) {
    const bytes = await rowsAt(source, index, index + 1, dimensions)
    const numbers = numbersIn(bytes)
    await file.write(
      format === 'csv'
        ? `${index},${csvField(text)},${(numbers ?? blanks(dimensions)).join(',')}\r\n`
        : `${JSON.stringify({ index, text, model, dimensions, embedding: numbers })}\n`,
    )
    index += 1
  }
}

const blanks = (dimensions: number): readonly string[] =>
  Array.from({ length: dimensions }, () => '')

/** The numbers of one row, nine digits of each: all that a 32-bit number holds; null for a row without a vector. */
function numbersIn(bytes: Buffer): readonly number[] | null {
  if (Number.isNaN(bytes.readFloatLE(0))) return null
  return Array.from({ length: bytes.length / 4 }, (_, at) =>
    Number(bytes.readFloatLE(at * 4).toPrecision(9)),
  )
}

async function rowsAt(
  source: FileHandle,
  from: number,
  to: number,
  dimensions: number,
): Promise<Buffer> {
  const bytes = Buffer.alloc((to - from) * dimensions * 4)
  for (let done = 0; done < bytes.length;) {
    const { bytesRead } = await source.read(
      bytes,
      done,
      bytes.length - done,
      from * dimensions * 4 + done,
    )
    if (bytesRead === 0) throw new AppError('DAMAGED_FILE', 'There are fewer vectors than texts')
    done += bytesRead
  }
  return bytes
}
