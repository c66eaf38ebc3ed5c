import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Failure } from '../../../../../shared/contract/reply.ts'
import {
  maxTexts,
  type EmbeddingCost,
  type EmbeddingRun,
  type EmbeddingState,
} from '../../../../../shared/model/embeddings.ts'
import { limitsWith, type Limits } from '../../../../../shared/provider/limits.ts'
import { estimateTokens } from '../../../../../shared/text/token-estimate.ts'
import { AppError } from '../../../../errors.ts'
import { writeFileBy } from '../../../../platform/export-files/file-writer.ts'
import { textsIn } from '../../../../platform/export-files/vectors/texts.ts'
import type {
  VectorExportRequest,
  VectorFormat,
} from '../../../../platform/export-files/vectors/write.ts'
import { removal } from '../../../../../system/file-moves.ts'
import { addGeneratedFile, withFile } from '../../../../platform/files/generated-file.ts'
import { bytesOfVector } from '../../../../platform/vectors/bytes.ts'
import { createWorkerClient } from '../../../../platform/workers/client.ts'
import { addJobs } from '../../../../work-queue/jobs.ts'
import { waitUntilIdle } from '../../../../work-queue/wait-briefly.ts'
import { fileName } from '../../../../platform/files/display-name.ts'
import { shownTitle } from '../../../../runs/run-title.ts'
import { executeSets } from './execute.ts'
import { textsOfItem } from './item-texts.ts'
import type { EmbeddingOrder, EmbeddingsDeps } from './embedding-types.ts'

/** Retention of removed items: 30 days. */
const binMs = 30 * 86_400_000
/** Maximum number of refused texts whose positions are reported. */
const namedPlaces = 20
const openStates: ReadonlySet<EmbeddingState> = new Set(['running', 'waiting'])

export type Embeddings = ReturnType<typeof createEmbeddings>

/** Embeddings (service-notes 15) as durable runs: texts and vectors are files, and no cached text is sent. */
export function createEmbeddings(deps: EmbeddingsDeps) {
  const { store, clock, files } = deps
  const closing = new AbortController()
  const folder = join(deps.home, 'embeddings')
  // Nothing is being written yet: existing files are from an earlier run, and the cache has the received vectors.
  const cleaned = store.writable ? rm(folder, removal).catch(() => undefined) : Promise.resolve()
  const worker = createWorkerClient<VectorExportRequest, number>({
    url: deps.workerUrl('exports'),
    name: 'Vector exports',
  })

  const need = (id: string): EmbeddingRun => {
    const run = store.embeddings.get(id)
    if (!run) throw new AppError('NOT_FOUND', 'Embedding run not found')
    return run
  }
  const needSet = (id: string, place: number) => {
    const run = need(id)
    const set = run.sets[place]
    if (!set) throw new AppError('NOT_FOUND', 'Vector set not found')
    return { run, set }
  }
  const readTexts = async (mediaId: string): Promise<readonly string[]> => {
    const texts: string[] = []
    for await (const { text } of textsIn(await files.path(mediaId))) {
      if (texts.length === maxTexts)
        throw new AppError('LIMIT_EXCEEDED', 'There are too many texts', {
          params: { what: 'items', limit: maxTexts, value: maxTexts + 1 },
        })
      texts.push(text)
    }
    if (texts.length === 0) throw new AppError('EMPTY_FILE', 'There are no texts')
    return texts
  }
  const costsOf = async (
    { accountId = deps.activeAccountId(), sets }: EmbeddingOrder,
    texts: readonly string[],
  ) => {
    const costs: EmbeddingCost[] = []
    for (const { model, dimensions } of sets) {
      const plan = await deps.embed.plan({ accountId, model, dimensions, texts })
      const { distinct, cached, tokens, calls, empty, tooLong } = plan
      costs.push({
        model,
        dimensions,
        distinct,
        cached,
        tokens,
        calls,
        tooLong: tooLong.slice(0, namedPlaces),
        refused: empty.length + tooLong.length,
      })
    }
    return costs
  }

  const report = (run: EmbeddingRun): void => deps.emit({ type: 'embeddings.changed', run })
  const change = (id: string, state: EmbeddingState, error: Failure | null): EmbeddingRun => {
    const run = store.embeddings.change(id, state, clock(), error)
    report(run)
    return run
  }
  const jobs = addJobs<string>(deps, {
    about: 'embedding run',
    isEndless: false,
    open: () => (store.writable ? store.embeddings.open() : []),
    async execute(id, attempt) {
      await cleaned
      const texts = await readTexts(need(id).textsMediaId)
      const parts = { ...deps, closing: closing.signal }
      const calls = await executeSets(parts, need(id), texts, attempt)
      change(id, 'done', null)
      return calls > 0 ? 'done' : 'unsent'
    },
    change: (id, state, failure) => void change(id, state, failure),
    onWaiting: (count) => deps.setWaiting('embeddings', count),
  })
  /** Stops a run in flight, or one that waits. */
  const stop = (id: string): Promise<void> =>
    jobs.stop(id, () => {
      const run = store.embeddings.get(id)
      if (run && openStates.has(run.state)) change(id, 'cancelled', null)
    })
  const withOwnFile = async <T>(work: (path: string) => Promise<T>): Promise<T> => {
    await cleaned
    return withFile(folder, deps.ids(), deps.log, work)
  }

  return {
    /** Sends nothing. Throws LIMIT_EXCEEDED for too many texts, DAMAGED_FILE, EMPTY_FILE, NOT_FOUND. */
    async plan(order: EmbeddingOrder) {
      const texts = await readTexts(order.mediaId)
      return { count: texts.length, costs: await costsOf(order, texts) }
    },
    /** Throws the errors of `plan`, and LIMIT_EXCEEDED or BAD_REQUEST (`item`, from 0) for the first text that would be refused. */
    async start(order: EmbeddingOrder & { readonly title?: string | undefined }) {
      const account = store.accounts.get(order.accountId ?? deps.activeAccountId())
      if (!account) throw new AppError('NOT_FOUND', 'Account not found')
      const texts = await readTexts(order.mediaId)
      const costs = await costsOf({ ...order, accountId: account.id }, texts)
      refuseBad(texts, costs, limitsWith(account.profile.limits).embeddings)
      const run = store.embeddings.create({
        id: deps.ids(),
        accountId: account.id,
        accountName: account.name,
        title: shownTitle(order.title ?? '') || shownTitle(texts[0] ?? '') || 'embeddings',
        count: texts.length,
        textsMediaId: order.mediaId,
        sets: order.sets,
        at: clock(),
      })
      jobs.begin(run.id, run.accountId)
      report(run)
      return run
    },
    /** Throws REFUSED while it runs or when nothing is missing. */
    resumeRun(id: string) {
      const { state, accountId } = need(id)
      if (state === 'done' || state === 'running')
        throw new AppError('REFUSED', 'These embeddings are already complete')
      const run = change(id, 'running', null)
      jobs.begin(id, accountId)
      return run
    },
    async cancel(id: string) {
      need(id)
      await stop(id)
      return need(id)
    },
    get: need,
    list: store.embeddings.list,
    rename(id: string, title: string) {
      need(id)
      const shown = shownTitle(title)
      if (shown === '')
        throw new AppError('BAD_REQUEST', 'A title needs at least one visible character')
      const run = store.embeddings.rename(id, shown, clock())
      report(run)
      return run
    },
    async remove(ids: readonly string[]) {
      await Promise.all(ids.map(stop))
      store.embeddings.bin(ids, clock()).forEach(report)
    },
    restore(ids: readonly string[]) {
      store.embeddings.bin(ids, null).forEach(report)
    },
    async query(id: string, place: number, text: string) {
      const { run, set } = needSet(id, place)
      let vector: Float64Array | undefined
      const outcome = await deps.embed.embed(
        { accountId: run.accountId, model: set.model, dimensions: set.dimensions, texts: [text] },
        { signal: closing.signal, atOnce: true, onVectors: ([first]) => (vector = first?.vector) },
      )
      if (!vector) throw new AppError('MALFORMED_REPLY', 'The response contains no vector')
      const bytes = Uint8Array.from(bytesOfVector(Float32Array.from(vector)))
      const media = await files.intake(new Blob([bytes]).stream(), 'query.f32', bytes.length)
      return { mediaId: media.id, cached: outcome.sent === 0 }
    },
    items: (itemIds: readonly string[], tokens: number) =>
      withOwnFile(async (path) => {
        let count = 0
        await writeFileBy(path, async (file) => {
          for (const itemId of itemIds)
            for await (const text of textsOfItem(store, itemId, tokens)) {
              if (count < maxTexts) await file.write(`${JSON.stringify(text)}\n`)
              count += 1
            }
        })
        if (count === 0) throw new AppError('EMPTY_FILE', 'These items contain no text')
        return {
          mediaId: await addGeneratedFile(files, path, 'texts.jsonl'),
          count: Math.min(count, maxTexts),
        }
      }),
    export: (id: string, place: number, format: VectorFormat) =>
      withOwnFile(async (path) => {
        const { run, set } = needSet(id, place)
        if (set.mediaId === null) throw new AppError('NOT_FOUND', 'There are no vectors yet')
        await worker.call({
          vectors: format,
          from: await files.path(set.mediaId),
          count: run.count,
          texts: await files.path(run.textsMediaId),
          model: set.model,
          dimensions: set.dimensions,
          to: path,
        })
        const name = fileName(`${run.title} ${set.model} ${set.dimensions}`, format)
        return { mediaId: await addGeneratedFile(files, path, name), name }
      }),
    /** Continues what an earlier process left, and deletes expired items. */
    resume() {
      jobs.kick()
      for (const id of store.embeddings.purge(clock() - binMs))
        files
          .remove(id)
          .catch((error: unknown) =>
            deps.log.warn('failed to remove a file of embeddings', { error }),
          )
    },
    accountReady: jobs.wake,
    busy: jobs.busy,
    async shutdown() {
      closing.abort()
      await jobs.shutdown()
      await worker.close()
    },
    async stopAll() {
      await jobs.stopAll()
      // Received vectors are still written to a file.
      await waitUntilIdle(jobs.busy)
      await rm(folder, removal)
    },
  }
}

/** Throws for the first text that the provider would refuse: longer than its model's token limit, or only white space. */
function refuseBad(
  texts: readonly string[],
  costs: readonly EmbeddingCost[],
  { tokens2, tokens3 }: Limits['embeddings'],
): void {
  const bad = costs.find(({ refused }) => refused > 0)
  if (!bad) return
  const item = bad.tooLong[0] ?? texts.findIndex((text) => text.trim() === '')
  const { min: minTokens } = estimateTokens(texts[item] ?? '')
  const limit = bad.model === 'embedding-2' ? tokens2 : tokens3
  if (minTokens <= limit)
    throw new AppError('BAD_REQUEST', 'A text is empty', { params: { what: 'text', item } })
  const params = { what: 'tokens', limit, value: minTokens, item }
  throw new AppError('LIMIT_EXCEEDED', `A text has more than ${limit} tokens`, { params })
}
