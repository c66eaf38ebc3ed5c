import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  maxTexts,
  type EmbeddingCost,
  type EmbeddingRun,
} from '../../../../../shared/model/embeddings.ts'
import { limitsWith, type Limits } from '../../../../../shared/provider/limits.ts'
import { estimateTokens } from '../../../../../shared/text/token-estimate.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import { writeFileBy } from '../../../../platform/export-files/file-writer.ts'
import { textsIn } from '../../../../platform/export-files/vectors/texts.ts'
import type { VectorExportRequest } from '../../../../platform/export-files/vectors/write.ts'
import { removal } from '../../../../../system/file-moves.ts'
import { addGeneratedFile, withFile } from '../../../../platform/files/generated-file.ts'
import { bytesOfVector } from '../../../../platform/vectors/bytes.ts'
import { createWorkerClient } from '../../../../platform/workers/client.ts'
import { isRepairable } from '../../../../work-queue/retry-policy.ts'
import { fileName } from '../../../../platform/files/display-name.ts'
import { shownTitle } from '../../../../runs/run-title.ts'
import { createRunningRuns } from '../../../../runs/running-runs.ts'
import { isStoreProblem } from '../../../../platform/database/persist.ts'
import { executeSets } from './execute.ts'
import { textsOfItem } from './item-texts.ts'
import type { EmbeddingOrder, Embeddings, EmbeddingsDeps } from './embedding-types.ts'

/** Retention of removed items: 30 days. */
const binMs = 30 * 86_400_000
/** Maximum number of refused texts whose positions are reported. */
const namedPlaces = 20

export function createEmbeddings(deps: EmbeddingsDeps): Embeddings {
  const { store, clock, files } = deps
  const underWay = createRunningRuns(deps.log, 'embeddings')
  const { closing, stop } = underWay
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

  const report = (run: EmbeddingRun): void => {
    deps.onRun(run)
    deps.onWaiting(
      store.embeddings.unfinished().filter((id) => need(id).state === 'waiting').length,
    )
  }
  const end = (id: string, error: unknown, stopped: boolean): EmbeddingRun => {
    const at = clock()
    if (error === null) return store.embeddings.change(id, 'done', at)
    const failure = toFailure(error, at)
    if (stopped || failure.code === 'CANCELLED') return store.embeddings.change(id, 'cancelled', at)
    if (!(error instanceof AppError)) deps.log.error('embeddings failed', { error })
    const waits = failure.code === 'OFFLINE' || isRepairable(failure.code) || isStoreProblem(error)
    return store.embeddings.change(id, waits ? 'waiting' : 'failed', at, failure)
  }
  const execute = async (id: string, signal: AbortSignal): Promise<void> => {
    await cleaned
    const outcome = await readTexts(need(id).textsMediaId)
      .then((texts) =>
        // The cache has the received vectors: a file that did not fit on the disk is written again, and nothing is sent again.
        deps.keep(
          () => executeSets(deps, need(id), texts, { signal, closing }),
          AbortSignal.any([signal, closing]),
        ),
      )
      .then(() => null)
      .catch((error: unknown) => error ?? new Error('unknown'))
    // The next start continues it in its current state.
    if (closing.aborted && outcome !== null) return
    report(await deps.keep(() => end(id, outcome, signal.aborted), closing))
  }
  const launch = (id: string): void => underWay.launch(id, (signal) => execute(id, signal))
  const begin = (id: string): EmbeddingRun => {
    const run = store.embeddings.change(id, 'running', clock())
    launch(id)
    report(run)
    return run
  }
  const withOwnFile = async <T>(work: (path: string) => Promise<T>): Promise<T> => {
    await cleaned
    return withFile(folder, deps.ids(), deps.log, work)
  }

  return {
    async plan(order) {
      const texts = await readTexts(order.mediaId)
      return { count: texts.length, costs: await costsOf(order, texts) }
    },
    async start(order) {
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
      launch(run.id)
      deps.onRun(run)
      return run
    },
    resumeRun(id) {
      if (need(id).state === 'done' || underWay.has(id))
        throw new AppError('REFUSED', 'These embeddings are already complete')
      return begin(id)
    },
    async cancel(id) {
      const { state } = need(id)
      await stop(id)
      if (state === 'waiting' && need(id).state === 'waiting')
        report(store.embeddings.change(id, 'cancelled', clock()))
      return need(id)
    },
    get: need,
    list: (query) => store.embeddings.list(query),
    rename(id, title) {
      need(id)
      const shown = shownTitle(title)
      if (shown === '')
        throw new AppError('BAD_REQUEST', 'A title needs at least one visible character')
      const run = store.embeddings.rename(id, shown, clock())
      deps.onRun(run)
      return run
    },
    async remove(ids) {
      await Promise.all(ids.map(stop))
      store.embeddings.bin(ids, clock()).forEach(report)
    },
    restore(ids) {
      store.embeddings.bin(ids, null).forEach(report)
    },
    async query(id, place, text) {
      const { run, set } = needSet(id, place)
      let vector: Float64Array | undefined
      const outcome = await deps.embed.embed(
        { accountId: run.accountId, model: set.model, dimensions: set.dimensions, texts: [text] },
        { signal: closing, atOnce: true, onVectors: ([first]) => (vector = first?.vector) },
      )
      if (!vector) throw new AppError('MALFORMED_REPLY', 'The response contains no vector')
      const bytes = Uint8Array.from(bytesOfVector(Float32Array.from(vector)))
      const media = await files.intake(new Blob([bytes]).stream(), 'query.f32', bytes.length)
      return { mediaId: media.id, cached: outcome.sent === 0 }
    },
    items: (itemIds, tokens) =>
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
    export: (id, place, format) =>
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
    resume() {
      for (const id of store.embeddings.unfinished()) launch(id)
      for (const id of store.embeddings.purge(clock() - binMs))
        files
          .remove(id)
          .catch((error: unknown) =>
            deps.log.warn('failed to remove a file of embeddings', { error }),
          )
    },
    accountReady(accountId) {
      for (const id of store.embeddings.unfinished()) {
        const run = need(id)
        if (run.accountId === accountId && run.state === 'waiting' && !underWay.has(id)) begin(id)
      }
    },
    busy: underWay.busy,
    async shutdown() {
      await underWay.shutdown()
      await worker.close()
    },
    async stopAll() {
      await underWay.stopAll()
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
