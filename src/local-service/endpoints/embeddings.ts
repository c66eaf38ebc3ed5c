import { engineNotices } from '../../shared/provider/engine-notices.ts'
import { fillSentence } from '../../shared/provider/sentences.ts'
import { limits } from '../../shared/provider/limits.ts'
import { estimateTokens } from '../../shared/text/token-estimate.ts'
import { encoderDimensions } from '../engines/text-encoder.ts'
import type { EmbeddingMethod } from '../engines/text-messages.ts'
import { ServiceError } from '../errors.ts'
import {
  fieldIllegal,
  fieldMissing,
  jsonValue,
  readJsonBody,
  type JsonObject,
} from '../json-body.ts'
import { integerOf, requiredText, textsOf } from '../json-fields.ts'
import { jsonReply } from '../http.ts'
import type { Route, Handler } from '../context.ts'
import { withTextEngine } from './text-errors.ts'

interface ModelRules {
  /** The first value is the default (service-notes 15). */
  readonly dimensions: readonly [number, ...number[]]
  /** Minimum and maximum number of items, tokens per item, and total tokens (service-notes 16). */
  readonly items: { readonly min: number; readonly max?: number }
  readonly tokens: number
  readonly totalTokens: number
}

const { items, tokens2, tokens3, totalTokens2 } = limits.embeddings

const models: ReadonlyMap<string, ModelRules> = new Map([
  [
    'embedding-3',
    {
      dimensions: [2048, 1024, 512, 256],
      items: { min: 1, max: items },
      tokens: tokens3,
      totalTokens: Infinity,
    },
  ],
  [
    'embedding-2',
    { dimensions: [1024], items: { min: 1 }, tokens: tokens2, totalTokens: totalTokens2 },
  ],
])

function inputOf(body: JsonObject, rules: ModelRules): readonly string[] {
  const value = jsonValue(body, 'input')
  if (value === undefined) throw fieldMissing('input')
  const single = typeof value === 'string'
  const texts = single ? [value] : (textsOf(body, 'input', rules.items) ?? [])
  for (const [i, text] of texts.entries())
    if (text.trim() === '') throw fieldIllegal(single ? 'input' : `input[${i}]`, 'not be empty')
  return texts
}

/**
 * Rejects input that is certainly over the limit; returns a likely count for `usage`. The tokenizer is not public, so
 * both are estimates.
 */
function countTokens(texts: readonly string[], rules: ModelRules): number {
  const estimates = texts.map(estimateTokens)
  for (const [i, { min }] of estimates.entries())
    if (min > rules.tokens)
      throw fieldIllegal(
        texts.length === 1 ? 'input' : `input[${i}]`,
        `have at most ${rules.tokens} tokens; it has at least ${min}`,
      )
  const minTotal = estimates.reduce((sum, estimate) => sum + estimate.min, 0)
  if (minTotal > rules.totalTokens)
    throw fieldIllegal(
      'input',
      `have at most ${rules.totalTokens} tokens in all; it has at least ${minTotal}`,
    )
  return estimates.reduce((sum, estimate) => sum + estimate.likely, 0)
}

function dimensionsOf(body: JsonObject, rules: ModelRules): number {
  const dimensions = integerOf(body, 'dimensions') ?? rules.dimensions[0]
  if (!rules.dimensions.includes(dimensions))
    throw fieldIllegal('dimensions', `be one of: ${rules.dimensions.join(', ')}`)
  return dimensions
}

function noticeOf(methods: readonly EmbeddingMethod[], dimensions: number): string | undefined {
  const others = methods.flatMap((method, i) => (method === 'n-grams' ? [i] : []))
  const sentences: string[] = []
  if (others.length < methods.length && dimensions !== encoderDimensions)
    sentences.push(
      fillSentence(engineNotices.projected, { from: encoderDimensions, to: dimensions }),
    )
  if (others.length === methods.length) sentences.push(engineNotices.hashed)
  else if (others.length > 0)
    sentences.push(fillSentence(engineNotices.someHashed, { texts: others.join(', ') }))
  return sentences.length > 0 ? sentences.join(' ') : undefined
}

/**
 * Nine decimals: the precision of a 32-bit number in a unit vector, in half the characters of its exact value.
 */
const decimals = 1e9
const written = (vector: Float32Array): readonly number[] =>
  Array.from(vector, (value) => Math.round(value * decimals) / decimals)

/** `POST /paas/v4/embeddings` (service-notes 15). */
const createEmbeddings: Handler = async ({ incoming, signal }, { text }) => {
  const body = await readJsonBody(incoming)
  const model = requiredText(body, 'model')
  const rules = models.get(model)
  if (!rules) throw new ServiceError('unknownModel', 'Unknown model')
  const texts = inputOf(body, rules)
  const dimensions = dimensionsOf(body, rules)
  const tokens = countTokens(texts, rules)
  const { vectors, methods } = await withTextEngine(() => text.embed(texts, dimensions, signal))
  const notice = noticeOf(methods, dimensions)
  return jsonReply({
    model,
    object: 'list',
    data: vectors.map((vector, index) => ({
      index,
      object: 'embedding',
      embedding: written(vector),
    })),
    usage: { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens },
    engine: text.name,
    ...(notice !== undefined && { notice }),
  })
}

export const embeddingsRoutes: readonly Route[] = [
  ['POST', '/paas/v4/embeddings', createEmbeddings],
]
