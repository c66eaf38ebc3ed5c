import { wireModel } from '../../shared/provider/profiles.ts'
import type { Answered, CallOptions, ServiceTarget } from './types.ts'
import type { CallParts } from './call.ts'
import {
  batchesOf,
  checkCall,
  checkTexts,
  dimensionsOf,
  type EmbeddingRequest,
} from './embedding-limits.ts'
import { endpointsOf } from './json-call.ts'
import { defaultJsonValues, isRecord, textField } from './json.ts'
import { malformed, numberIn, recordsFrom } from './lenient.ts'

/** Vectors in the order of the texts, with the numbers as received. */
export interface EmbeddingResult {
  readonly model: string
  readonly vectors: readonly Float64Array[]
}

/** Text embeddings (service-notes 15). They have no request ID. */
export type EmbeddingsApi = ReturnType<typeof createEmbeddings>

export function createEmbeddings(parts: CallParts) {
  const send = endpointsOf(parts)('embeddings.create', (request: EmbeddingRequest, target) => {
    const { input, dimensions } = request
    const model = wireModel(target.profile, request.model)
    const expected = dimensions ?? dimensionsOf[request.model][0]
    return {
      model,
      path: '/paas/v4/embeddings',
      json: () => ({
        model,
        input: input.length === 1 ? input[0] : input,
        // embedding-2 has a fixed number of dimensions and no field for it.
        ...(request.model === 'embedding-3' && dimensions !== undefined && { dimensions }),
      }),
      timeouts: parts.longCall,
      maxValues: defaultJsonValues + input.length * expected,
      read: (json) => readEmbeddings(json, { count: input.length, dimensions: expected, model }),
    }
  })
  const create: typeof send = async (target, request, options) => {
    checkTexts(request, target)
    checkCall(request, target)
    return send(target, request, options)
  }

  return {
    /** `POST /paas/v4/embeddings` as a single request. A single text is sent as a string. Safe to repeat. */
    create,
    /**
     * Embeds any number of texts in as few requests as the limits allow, with at most the profile's concurrency, keeping their
     * order. `onBatch` receives each batch on arrival (start index, vectors), so that nothing received is lost when a later one
     * fails. The promise it returns is awaited before the same worker sends its next batch. After a failure no further batch
     * starts; running ones are still delivered.
     */
    async createMany(
      target: ServiceTarget,
      request: EmbeddingRequest,
      {
        onBatch,
        ...options
      }: CallOptions & {
        onBatch?(start: number, answer: Answered<EmbeddingResult>): unknown
      },
    ): Promise<{ readonly vectors: readonly Float64Array[]; readonly notice: string | null }> {
      const texts = checkTexts(request, target)
      const waiting = [...batchesOf(texts, request.model, target.limits.embeddings)]
      const vectors = Array.from<Float64Array>({ length: texts.length })
      const notices = new Set<string>()
      let failed = false
      const work = async (): Promise<void> => {
        for (let batch = waiting.shift(); batch && !failed; batch = waiting.shift()) {
          try {
            const answer = await send(target, { ...request, input: batch.texts }, options)
            for (const [place, vector] of answer.value.vectors.entries())
              vectors[batch.start + place] = vector
            if (answer.notice !== null) notices.add(answer.notice)
            await onBatch?.(batch.start, answer)
          } catch (error) {
            failed = true
            throw error
          }
        }
      }
      const lanes = Math.max(1, Math.floor(target.profile.concurrency))
      const ends = await Promise.allSettled(Array.from({ length: lanes }, work))
      for (const end of ends) if (end.status === 'rejected') throw end.reason
      return { vectors, notice: notices.size === 0 ? null : [...notices].join(' ') }
    },
  }
}

/** Properties of the request that the response must match. */
interface ExpectedVectors {
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
function readEmbeddings(json: unknown, expected: ExpectedVectors): EmbeddingResult {
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
