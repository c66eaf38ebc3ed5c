import { createReadStream } from 'node:fs'
import type { EmbeddingText } from '../../../../shared/model/embeddings.ts'
import { AppError } from '../../../errors.ts'

/** Maximum line length, in UTF-16 units: many times the longest text of any model. */
const maxLineLength = 4_000_000

/** Yields the texts of a file with one JSON object per line. Throws DAMAGED_FILE for an invalid line. */
export async function* textsIn(path: string): AsyncGenerator<EmbeddingText> {
  let place = 0
  for await (const line of linesIn(path)) {
    if (line === '') continue
    if (line.length > maxLineLength) throw damaged(place)
    yield textOf(line, place)
    place += 1
  }
}

/**
 * Yields lines as JSON defines them: Unicode line separators may occur within a text. A line that is too long is yielded as
 * far as it was read, and is the last.
 */
async function* linesIn(path: string): AsyncGenerator<string> {
  let rest = ''
  const chunks: AsyncIterable<string> = createReadStream(path, { encoding: 'utf8' })
  for await (const chunk of chunks) {
    const lines = chunk.split('\n')
    const last = lines.pop() ?? ''
    for (const line of lines) {
      yield (rest + line).trim()
      rest = ''
    }
    rest += last
    if (rest.length > maxLineLength) break
  }
  yield rest.trim()
}

const damaged = (item: number): AppError =>
  new AppError('DAMAGED_FILE', 'A line of the texts is invalid', { params: { item } })

function textOf(line: string, item: number): EmbeddingText {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value === 'object' && value !== null && 'text' in value)
      if (typeof value.text === 'string') return value as EmbeddingText
  } catch {
    // Reported below.
  }
  throw damaged(item)
}
