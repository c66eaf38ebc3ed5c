import { noUsage, type Usage } from '../../api/usage.ts'
import type { Api, ServiceTarget } from '../../api/types.ts'
import { AppError } from '../../errors.ts'
import type { VectorSpace } from '../../store/vectors.ts'
import { isStoreProblem } from '../transcribe/persist.ts'
import type { DistinctText } from './distinct-texts.ts'
import type { EmbeddedText, EmbedRequest, EmbedTextsDeps } from './embed-texts.ts'

/** Texts sent to the client together. */
export interface Window {
  readonly request: EmbedRequest
  readonly space: VectorSpace
  readonly window: readonly DistinctText[]
  readonly signal: AbortSignal | undefined
  readonly atOnce: boolean
}

/** Response of a request. */
export type BatchAnswer = Parameters<
  NonNullable<Parameters<Api['embeddings']['createMany']>[2]['onBatch']>
>[1]

/** Sends one window of texts through the client; each batch is saved before it is reported. */
export async function sendWindow(
  { api, store, keep }: EmbedTextsDeps,
  target: ServiceTarget,
  { request, space, window, signal, atOnce }: Window,
  onBatch: (vectors: readonly EmbeddedText[], answer: BatchAnswer) => void,
): Promise<void> {
  const { model, dimensions } = request
  const input = window.map(({ text }) => text)
  try {
    await api.embeddings.createMany(
      target,
      { model, input, ...(dimensions !== undefined && { dimensions }) },
      {
        ...(signal && { signal }),
        async onBatch(start, answer) {
          const batch = window.slice(start, start + answer.value.vectors.length)
          const entries = batch.flatMap(({ hash, places }, at) => {
            const vector = answer.value.vectors[at]
            return vector ? [{ hash, places, vector }] : []
          })
          const write = (): void => store.vectors.put(space, entries)
          if (atOnce) ignoringProblem(write)
          else await keep(write)
          onBatch(entries, answer)
        },
      },
    )
  } catch (error) {
    throw withPlace(error, window)
  }
}

/** Performs a write that may fail because the disk is full or the library is read-only. */
function ignoringProblem(write: () => void): void {
  try {
    write()
  } catch (error) {
    if (!isStoreProblem(error)) throw error
  }
}

/** Adds the first index in the request to an error about a text of the window. */
function withPlace(error: unknown, window: readonly DistinctText[]): unknown {
  if (!(error instanceof AppError)) return error
  const item = error.params?.['item']
  const place = typeof item === 'number' ? window[item]?.places[0] : undefined
  if (place === undefined) return error
  const { code, message, retriable, params, service, retryAfterMs } = error
  return new AppError(code, message, {
    retriable,
    params: { ...params, item: place },
    cause: error,
    ...(service && { service }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** Totals of the requests. */
interface Sum {
  readonly calls: number
  readonly usage: Usage
  readonly engine: string | null
  readonly notice: string | null
}

/** Creates a counter that adds up the totals of the responses. */
export function createSum(): { add(answer: BatchAnswer): void; value(): Sum } {
  let calls = 0
  let usage = noUsage
  let engine: string | null = null
  const notices = new Set<string>()
  const plus = (a: number | null, b: number | null): number | null =>
    a === null && b === null ? null : (a ?? 0) + (b ?? 0)
  return {
    add(answer: BatchAnswer): void {
      calls += 1
      engine ??= answer.engine
      if (answer.notice !== null) notices.add(answer.notice)
      usage = {
        promptTokens: plus(usage.promptTokens, answer.usage.promptTokens),
        completionTokens: plus(usage.completionTokens, answer.usage.completionTokens),
        totalTokens: plus(usage.totalTokens, answer.usage.totalTokens),
      }
    },
    value: () => ({
      calls,
      usage,
      engine,
      notice: notices.size === 0 ? null : [...notices].join(' '),
    }),
  }
}
