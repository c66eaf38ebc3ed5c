import { limitsWith } from '../../../shared/service/limits.ts'
import type { Account } from '../../../shared/service/profiles.ts'
import { estimateTokens } from '../../../shared/text/token-estimate.ts'
import { batchesOf } from '../../api/embedding-batches.ts'
import type { EmbeddingModel } from '../../api/embeddings.ts'
import { stopped } from '../../api/network-errors.ts'
import type { Api } from '../../api/types.ts'
import type { Usage } from '../../api/usage.ts'
import { AppError } from '../../errors.ts'
import type { Store } from '../../store/types.ts'
import type { VectorSpace } from '../../store/vectors.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { createTurns } from '../../media/intake-queue.ts'
import type { RetryingWrite } from '../storage/unsaved.ts'
import { distinctTexts, inSlices, type DistinctText } from './distinct-texts.ts'
import { createSum, sendWindow } from './send.ts'
import { vectorSpaceOf } from './space.ts'

/** Texts that are to have vectors (service-notes 15). */
export interface EmbedRequest {
  readonly accountId: string
  readonly model: EmbeddingModel
  /** The model's default when absent. */
  readonly dimensions?: number | undefined
  readonly texts: readonly string[]
}

/** What embedding would send. */
export interface EmbedPlan {
  readonly space: VectorSpace
  readonly texts: number
  /** Texts that differ: each is sent once. */
  readonly distinct: number
  /** Of these, those whose vector is kept. */
  readonly cached: number
  /** Likely tokens of those that would be sent, and the calls they need. */
  readonly tokens: number
  readonly calls: number
  /** Places (from 0) of texts that the service refuses: white space alone, certainly over the tokens of an item. */
  readonly empty: readonly number[]
  readonly tooLong: readonly number[]
}

/** How far it is. All counts are of texts that differ. */
export interface EmbedProgress {
  readonly done: number
  readonly total: number
  /** Of `done`, those that came out of the cache. */
  readonly cached: number
}

/** A vector with all places (from 0) that its text has in the request. */
export interface EmbeddedText {
  readonly places: readonly number[]
  /** As the reply has it. */
  readonly vector: Float64Array
}

/** What is told while texts are embedded. */
export interface EmbedWatch {
  readonly signal?: AbortSignal | undefined
  /** Somebody waits for the vectors of a few texts now: they are told even where the store cannot keep them. */
  readonly atOnce?: boolean
  /** Vectors as they come, some at a time, each once; those of the cache first. */
  onVectors?(vectors: readonly EmbeddedText[]): void
  onProgress?(progress: EmbedProgress): void
}

/** How it went. */
export interface EmbedOutcome {
  readonly space: VectorSpace
  readonly cached: number
  readonly sent: number
  readonly calls: number
  /** Tokens as the service counted them, of the calls of this time. */
  readonly usage: Usage
  /** As the replies name it; null where everything came out of the cache, or a service that names none. */
  readonly engine: string | null
  readonly notice: string | null
}

/** Many texts to vectors, with the cache in front. */
export interface EmbedTexts {
  /** Sends nothing and needs no key. Throws NOT_FOUND for an account that is none. */
  plan(request: EmbedRequest): Promise<EmbedPlan>
  /**
   * Embeds what the cache does not have, each text once, batch by batch as the limits allow. A batch is kept before it is told, so that
   * after a failure or an abort the next call goes on behind it; while the store does not take it, it waits in memory and nothing more is
   * asked for in its lane. Throws what the client throws; `params.item` is the place of the text.
   */
  embed(request: EmbedRequest, watch?: EmbedWatch): Promise<EmbedOutcome>
  /** Forgets the vectors of a space, a frame's work at a time; the number it forgot. */
  forget(space: VectorSpace): Promise<number>
}

/** What embedding is built from. */
export interface EmbedTextsDeps {
  readonly store: Pick<Store, 'accounts' | 'vectors'>
  readonly api: Pick<Api, 'embeddings'>
  readonly accounts: Pick<Accounts, 'target'>
  readonly keep: RetryingWrite
}

/** Texts read from the cache, and texts handed to the client, at a time: what waits is bound, however many texts there are. */
const readAtOnce = 64
const sentAtOnce = 512

/** Builds the use case over cache, accounts and client. */
export function createEmbedTexts(deps: EmbedTextsDeps): EmbedTexts {
  const { store } = deps
  const accountOf = (id: string): Account => {
    const account = store.accounts.get(id)
    if (!account) throw new AppError('NOT_FOUND', 'No such account')
    return account
  }

  const inTurn = createTurns()
  /** Does the work when nobody else sends texts for the same vectors: begun twice, a text is paid for once. Waiting ends by the signal. */
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
    // Of one that was given up nobody asks how it went.
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

    async embed(request, { signal, atOnce = false, onVectors, onProgress } = {}) {
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

      /** Tells what the cache has of some texts; the others. */
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
            // Whoever had the turn before may have had the same texts.
            const window = atOnce ? some : await uncachedTexts(some)
            if (window.length === 0) return
            sent += window.length
            await sendWindow(
              deps,
              target,
              { request, space, window, signal, atOnce },
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

/** Texts among those that differ with one of these places. */
function refused(distinct: readonly DistinctText[], places: readonly number[]): number {
  const set = new Set(places)
  return distinct.filter(({ places: [first] }) => first !== undefined && set.has(first)).length
}
