import type { EmbeddingResult } from './embeddings.ts'
import { isRecord, textField } from './json.ts'
import { malformed, numberIn, recordsFrom } from './lenient.ts'

/** Properties of the request that the response must match. */
export interface ExpectedVectors {
  readonly count: number
  readonly dimensions: number
  /** Model ID in the API, for a response that names none. */
  readonly model: string
}

/**
 * Reads an embeddings response (service-notes 15): vectors by their `index`, or by position when none has one. Throws
 * MALFORMED_REPLY when there are more or fewer vectors than texts, an index occurs twice or was not sent, or a vector does
 * not consist of the expected count of finite numbers.
 */
export function readEmbeddings(json: unknown, expected: ExpectedVectors): EmbeddingResult {
  if (!isRecord(json)) throw malformed('no-data')
  const rows = recordsFrom(json['data'])
  if (rows.length !== expected.count) throw malformed('vector-count')
  const vectors = new Map<number, Float64Array>()
  for (const [place, row] of rows.entries()) {
    const index = row['index'] === undefined ? place : numberIn(row, 'index')
    if (index === null || !Number.isInteger(index) || index < 0 || index >= expected.count)
      throw malformed('index-not-sent')
    if (vectors.has(index)) throw malformed('index-twice')
    vectors.set(index, vectorOf(row['embedding'], expected.dimensions))
  }
  return {
    model: textField(json, 'model') ?? expected.model,
    vectors: rows.map((_, index) => {
      const vector = vectors.get(index)
      if (!vector) throw malformed('vector-count')
      return vector
    }),
  }
}

function vectorOf(value: unknown, dimensions: number): Float64Array {
  if (!Array.isArray(value)) throw malformed('no-vector')
  if (value.length !== dimensions) throw malformed('dimensions')
  const vector = new Float64Array(dimensions)
  for (const [place, number] of value.entries()) {
    if (typeof number !== 'number') throw malformed('vector-number')
    vector[place] = number
    // Search uses 32-bit floats: a number that overflows one is as useless as a missing one.
    if (!Number.isFinite(Math.fround(number))) throw malformed('vector-number')
  }
  return vector
}
