import { limitsWith } from '../../../../../shared/provider/limits.ts'
import type { Account } from '../../../../../shared/provider/profiles.ts'
import { estimateTokens } from '../../../../../shared/text/token-estimate.ts'
import { batchesOf, type EmbeddingModel } from '../../../../provider-client/embedding-limits.ts'
import { stopped } from '../../../../provider-client/network-errors.ts'
import type { ServiceTarget } from '../../../../provider-client/types.ts'
import type { Api } from '../../../../provider-client/api.ts'
import { type Usage, noUsage } from '../../../../provider-client/usage.ts'
import { AppError } from '../../../../errors.ts'
import { createTurns } from '../../../../platform/files/intake-queue.ts'
import type { Store } from '../../../../library-database/store.ts'
import type { VectorSpace } from '../../store/vectors.ts'
import type { Accounts } from '../../../settings/index.ts'
import type { RetryingWrite } from '../../../../platform/database/unsaved.ts'
import { isStoreProblem } from '../../../../platform/database/persist.ts'
import { vectorSpaceOf } from './space.ts'
import { createHash } from 'node:crypto'

/** Texts to embed (service-notes 15). */
interface EmbedRequest {
  readonly accountId: string
  readonly model: EmbeddingModel
  /** Defaults to that of the model. */
  readonly dimensions?: number | undefined
  readonly texts: readonly string[]
}

/** Estimate of what embedding would send. */
interface EmbedPlan {
  readonly space: VectorSpace
  readonly texts: number
  /** Number of distinct texts, each of which is sent once. */
  readonly distinct: number
  /** Number of these whose vector is in the cache. */
  readonly cached: number
  /** Estimated tokens of the texts that would be sent, and number of requests. */
  readonly tokens: number
  readonly calls: number
  /**
   * Indices (from 0) of texts that the provider rejects: only white space, or certainly over the token limit of an item.
   */
  readonly empty: readonly number[]
  readonly tooLong: readonly number[]
}

/** Progress, counting distinct texts. */
interface EmbedProgress {
  readonly done: number
  readonly total: number
  /** Number of `done` texts that were in the cache. */
  readonly cached: number
}

/** Vector with all indices (from 0) of its text in the request. */
interface EmbeddedText {
  readonly places: readonly number[]
  /** As in the response. */
  readonly vector: Float64Array
}

/** Callbacks and options while texts are embedded. */
interface EmbedWatch {
  readonly signal?: AbortSignal | undefined
  /**
   * The user is waiting for the vectors of a few texts: they are returned even if the store cannot save them.
   */
  readonly atOnce?: boolean
  /** See `CallOptions`. */
  readonly unlisted?: boolean
  /** Called with vectors as they are available, several at a time, each once; cached ones first. */
  onVectors?(vectors: readonly EmbeddedText[]): void
  onProgress?(progress: EmbedProgress): void
  /** Called for each response, before its vectors are saved and reported. */
  onResponse?(): void
}

/** Result of embedding texts. */
interface EmbedOutcome {
  readonly space: VectorSpace
  readonly cached: number
  readonly sent: number
  readonly calls: number
  /** Tokens as counted by the provider, of the requests of this run. */
  readonly usage: Usage
  /** As named in the responses; null if everything was cached, or if the provider names none. */
  readonly engine: string | null
  readonly notice: string | null
}

/** Embeds many texts, using the cache. */
export interface EmbedTexts {
  /** Sends nothing and needs no API key. Throws NOT_FOUND for an unknown account. */
  plan(request: EmbedRequest): Promise<EmbedPlan>
  /**
   * Embeds the texts that are not cached, each once, in batches within the limits. A batch is saved before it is reported,
   * so that the next call continues after a failure or an abort. While the store rejects writes, the batch waits in memory
   * and nothing more is requested in its queue. Throws client errors; `params.item` is the index of the text.
   */
  embed(request: EmbedRequest, watch?: EmbedWatch): Promise<EmbedOutcome>
  /** Deletes the vectors of a space in short steps; returns the number of deleted vectors. */
  forget(space: VectorSpace): Promise<number>
}

interface EmbedTextsDeps {
  readonly store: Pick<Store, 'accounts' | 'vectors'>
  readonly api: Pick<Api, 'embeddings'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly keep: RetryingWrite
}

/**
 * Texts read from the cache, and texts sent to the client, at a time: limits what waits in memory, regardless of the
 * number of texts.
 */
const readAtOnce = 64
const sentAtOnce = 512

/** Creates the embedding service. */
export function createEmbedTexts(deps: EmbedTextsDeps): EmbedTexts {
  const { store } = deps
  const accountOf = (id: string): Account => {
    const account = store.accounts.get(id)
    if (!account) throw new AppError('NOT_FOUND', 'Account not found')
    return account
  }

  const inTurn = createTurns()
  /**
   * Runs the work when no one else is sending texts for the same vectors, so that a text is paid for only once. The signal
   * ends the wait.
   */
  const afterOthers = async (
    key: string,
    work: () => Promise<void>,
    signal: AbortSignal | undefined,
  ): Promise<void> => {
    let isMine = false
    const begun = Promise.withResolvers<void>()
    const giveUp = (): void => begun.resolve()
    signal?.addEventListener('abort', giveUp, { once: true })
    const turn = inTurn(key, async () => {
      isMine = true
      begun.resolve()
      if (signal?.aborted) throw stopped(signal)
      await work()
    })
    // Nothing handles the failure of a turn that was given up.
    turn.catch(() => undefined)
    await begun.promise
    signal?.removeEventListener('abort', giveUp)
    if (signal?.aborted && !isMine) throw stopped(signal)
    await turn
  }

  return {
    async plan({ accountId, model, dimensions, texts }) {
      const { id, profile } = accountOf(accountId)
      const space = vectorSpaceOf({ id, profile }, model, dimensions)
      const { embeddings: limits } = limitsWith(profile.limits)
      const maxTokens = model === 'embedding-2' ? limits.tokens2 : limits.tokens3
      const empty: number[] = []
      const tooLong: number[] = []
      const missing: { readonly text: string; readonly likely: number }[] = []
      const distinct = await distinctTexts(texts)
      await inSlices(distinct, readAtOnce, (slice) => {
        const known = store.vectors.has(
          space,
          slice.map(({ hash }) => hash),
        )
        for (const [at, { text, places }] of slice.entries()) {
          if (known[at]) continue
          const { min: minTokens, likely } = estimateTokens(text)
          if (text.trim() === '') empty.push(...places)
          else if (minTokens > maxTokens) tooLong.push(...places)
          else missing.push({ text, likely })
        }
      })
      return {
        space,
        texts: texts.length,
        distinct: distinct.length,
        cached: distinct.length - missing.length - refused(distinct, [...empty, ...tooLong]),
        tokens: missing.reduce((sum, { likely }) => sum + likely, 0),
        calls: batchesOf(missing, model, limits).length,
        empty: empty.toSorted((a, b) => a - b),
        tooLong: tooLong.toSorted((a, b) => a - b),
      }
    },

    async embed(
      request,
      { signal, atOnce = false, unlisted = false, onVectors, onProgress, onResponse } = {},
    ) {
      const { id, profile } = accountOf(request.accountId)
      const space = vectorSpaceOf({ id, profile }, request.model, request.dimensions)
      const distinct = await distinctTexts(request.texts, signal)
      const progress = { total: distinct.length, cached: 0 }
      let done = 0
      const report = (vectors: readonly EmbeddedText[]): void => {
        if (vectors.length === 0) return
        done += vectors.length
        onVectors?.(vectors)
        onProgress?.({ ...progress, done })
      }

      /** Reports the cached vectors of some texts; returns the other texts. */
      const uncachedTexts = async (among: readonly DistinctText[]): Promise<DistinctText[]> => {
        const missing: DistinctText[] = []
        await inSlices(
          among,
          readAtOnce,
          (slice) => {
            const cached = store.vectors.get(
              space,
              slice.map(({ hash }) => hash),
            )
            const found: EmbeddedText[] = []
            for (const [at, text] of slice.entries()) {
              const vector = cached[at]
              if (vector) found.push({ places: text.places, vector })
              else missing.push(text)
            }
            progress.cached += found.length
            report(found)
          },
          signal,
        )
        return missing
      }
      const missing = await uncachedTexts(distinct)

      const sum = createSum()
      let sent = 0
      if (missing.length > 0) {
        const target = await deps.accounts.target(request.accountId)
        for (let start = 0; start < missing.length; start += sentAtOnce) {
          if (signal?.aborted) throw stopped(signal)
          const some = missing.slice(start, start + sentAtOnce)
          const send = async (): Promise<void> => {
            // The previous work may have included the same texts.
            const window = atOnce ? some : await uncachedTexts(some)
            if (window.length === 0) return
            sent += window.length
            await sendWindow(
              deps,
              target,
              { request, space, window, signal, atOnce, unlisted, onResponse },
              (vectors, answer) => {
                sum.add(answer)
                report(vectors)
              },
            )
          }
          await (atOnce ? send() : afterOthers(JSON.stringify(space), send, signal))
        }
      }
      return { space, cached: progress.cached, sent, ...sum.value() }
    },

    async forget(space) {
      let all = 0
      for (let gone = -1; gone !== 0; all += gone) {
        gone = store.vectors.forget(space)
        await new Promise((resolve) => setImmediate(resolve))
      }
      return all
    },
  }
}

/** Returns the number of distinct texts that have one of these indices. */
function refused(distinct: readonly DistinctText[], places: readonly number[]): number {
  const set = new Set(places)
  return distinct.filter(({ places: [first] }) => first !== undefined && set.has(first)).length
}

/** Texts sent to the client together. */
interface Window {
  readonly request: EmbedRequest
  readonly space: VectorSpace
  readonly window: readonly DistinctText[]
  readonly signal: AbortSignal | undefined
  readonly atOnce: boolean
  readonly unlisted: boolean
  readonly onResponse: EmbedWatch['onResponse']
}

/** Response of a request. */
type BatchAnswer = Parameters<
  NonNullable<Parameters<Api['embeddings']['createMany']>[2]['onBatch']>
>[1]

/** Sends one window of texts through the client; each batch is saved before it is reported. */
async function sendWindow(
  { api, store, keep }: EmbedTextsDeps,
  target: ServiceTarget,
  { request, space, window, signal, atOnce, unlisted, onResponse }: Window,
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
        ...(unlisted && { unlisted }),
        async onBatch(start, answer) {
          onResponse?.()
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
function createSum(): { add(answer: BatchAnswer): void; value(): Sum } {
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

/** Text with its indices (from 0) in a list. */
interface DistinctText {
  readonly text: string
  /** SHA-256 of its UTF-8 bytes, 32 bytes: the cache key. */
  readonly hash: Buffer
  readonly places: readonly number[]
}

/** Returns the cache key of a text: SHA-256 of its UTF-8 bytes, 32 bytes. */
const hashOfText = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Number of texts hashed before yielding to the event loop. */
const hashedAtOnce = 256

/** Returns the distinct texts in the order of their first occurrence. */
async function distinctTexts(
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly DistinctText[]> {
  const known = new Map<string, { text: string; hash: Buffer; places: number[] }>()
  let place = 0
  await inSlices(
    texts,
    hashedAtOnce,
    (slice) => {
      for (const text of slice) {
        const same = known.get(text)
        if (same) same.places.push(place)
        else known.set(text, { text, hash: hashOfText(text), places: [place] })
        place += 1
      }
    },
    signal,
  )
  return [...known.values()]
}

/**
 * Processes a list in slices, yielding in between. Throws CANCELLED (TIMEOUT for a deadline) after the signal fired.
 */
async function inSlices<T>(
  all: readonly T[],
  size: number,
  work: (slice: readonly T[]) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (let start = 0; start < all.length; start += size) {
    if (start > 0) await new Promise((resolve) => setImmediate(resolve))
    if (signal?.aborted) throw stopped(signal)
    work(all.slice(start, start + size))
  }
}
