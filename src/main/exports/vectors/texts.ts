import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import type { EmbeddingText } from '../../../shared/model/embeddings.ts'
import { AppError } from '../../errors.ts'

/** The texts of a file, one JSON object a line. Throws DAMAGED_FILE for a line that is none. */
export async function* textsIn(path: string): AsyncGenerator<EmbeddingText> {
  const lines = createInterface({
    input: createReadStream(path, { encoding: 'utf8' }),
    crlfDelay: Infinity,
  })
  let place = 0
  for await (const line of lines) {
    if (line === '') continue
    yield textOf(line, place)
    place += 1
  }
}

function textOf(line: string, item: number): EmbeddingText {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null && 'text' in value)
      if (typeof value.text === 'string') return value as EmbeddingText
  } catch {
    // Told below.
  }
  throw new AppError('DAMAGED_FILE', 'A line of the texts is not one', { params: { item } })
}
