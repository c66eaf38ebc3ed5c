import type { Ranking, RankingSummary } from '../../../shared/model/rerank.ts'
import { limitsWith, type Limits } from '../../../shared/service/limits.ts'
import { localAccountId } from '../../../shared/service/profiles.ts'
import { charactersOf, isLonger } from '../../../shared/text/characters.ts'
import { AppError, toFailure } from '../../errors.ts'
import { writeRanking } from '../../exports/rerank.ts'
import { fileName } from '../meetings/exports/exports.ts'
import { endBadly, leftUnfinished, type StoppedBy } from '../runs/end.ts'
import { shownTitle } from '../runs/title.ts'
import { createRunningRuns } from '../runs/running-runs.ts'
import { requestRounds } from './rerank-request.ts'
import { passagesOf } from './passages.ts'
import { roundCount } from './rounds.ts'
import type { RankingRequest, Rerank, RerankDeps } from './types.ts'

/** Retention of removed rankings: 30 days. */
const binMs = 30 * 86_400_000

export function createRerank(deps: RerankDeps): Rerank {
  const { store, clock } = deps
  const underWay = createRunningRuns(deps.log, 'a reranking')
  const { closing, stop } = underWay

  const need = (id: string): Ranking => {
    const ranking = store.rerank.get(id)
    if (!ranking) throw new AppError('NOT_FOUND', 'Reranking not found')
    return ranking
  }
  const needAccount = (id: string) => {
    const account = store.accounts.get(id)
    if (!account) throw new AppError('NOT_FOUND', 'Account not found')
    return account
  }

  /** Runs a ranking to its end, stores the result, and then reports it. */
  const execute = async (id: string, signal: AbortSignal): Promise<void> => {
    const ranking = need(id)
    const write = (end: Parameters<typeof store.rerank.finish>[1]): Promise<RankingSummary> =>
      deps.keep(() => store.rerank.finish(id, end), closing)
    try {
      const target = await deps.accounts.target(ranking.accountId)
      signal.throwIfAborted()
      const ranked = await requestRounds(deps, ranking, target, signal)
      deps.onRanking(await write({ state: 'done', at: clock(), ranked }))
    } catch (error) {
      if (!(error instanceof AppError) && !signal.aborted)
        deps.log.error('reranking failed', { error })
      const stoppedBy: StoppedBy = !signal.aborted ? 'nobody' : closing.aborted ? 'closing' : 'user'
      const { end } = endBadly(error, stoppedBy, clock())
      deps.onRanking(await write({ state: end.state, at: end.at, error: end.error }))
    }
  }
  const launch = (id: string): void => underWay.launch(id, (signal) => execute(id, signal))

  return {
    start(request) {
      const account = needAccount(request.accountId ?? deps.activeAccountId())
      const limits = limitsWith(account.profile.limits).rerank
      checkRanking(request, limits)
      const { query, candidates, topN, rawScores } = request
      // Here scores depend on how rare a word is among the candidates of a request: scores of two requests are never comparable.
      if (account.id === localAccountId && candidates.length > limits.documents)
        throw new AppError('LIMIT_EXCEEDED', 'On-device reranking uses a single request', {
          params: { what: 'documents', limit: limits.documents, value: candidates.length },
        })
      const ranking = store.rerank.create({
        id: deps.ids(),
        accountId: account.id,
        accountName: account.name,
        title: shownTitle(request.title ?? '') || shownTitle(query) || 'rerank',
        query,
        candidates,
        batch: limits.documents,
        rounds: roundCount(candidates.length, limits.documents),
        topN,
        rawScores,
        at: clock(),
      })
      launch(ranking.id)
      deps.onRanking(ranking)
      return ranking
    },
    resumeRanking(id) {
      const { state, accountId } = need(id)
      if (state === 'done' || underWay.has(id))
        throw new AppError('REFUSED', 'The reranking is already complete')
      needAccount(accountId)
      const ranking = store.rerank.finish(id, { state: 'running', at: clock() })
      launch(id)
      deps.onRanking(ranking)
      return ranking
    },
    async cancel(id) {
      need(id)
      await stop(id)
      return need(id)
    },
    get: need,
    list: (query) => store.rerank.list(query),
    raw: (id, round) => store.rerank.reply(id, round),
    rename(id, title) {
      need(id)
      const shown = shownTitle(title)
      if (shown === '')
        throw new AppError('BAD_REQUEST', 'A title needs at least one visible character')
      const ranking = store.rerank.rename(id, shown, clock())
      deps.onRanking(ranking)
      return ranking
    },
    async remove(ids) {
      await Promise.all(ids.map(stop))
      store.rerank.bin(ids, clock()).forEach(deps.onRanking)
    },
    restore(ids) {
      store.rerank.bin(ids, null).forEach(deps.onRanking)
    },
    async find(query, limit) {
      const { hits, more } = await store.search.search({ query, limit })
      const account = needAccount(deps.activeAccountId())
      const maxChars = limitsWith(account.profile.limits).rerank.documentChars
      return { passages: passagesOf(store, hits, maxChars), more }
    },
    async export(id, format, language) {
      const ranking = need(id)
      const name = fileName(ranking.title, format)
      const bytes = new TextEncoder().encode(writeRanking(ranking, format, language))
      const media = await deps.files.intake(new Blob([bytes]).stream(), name, bytes.length)
      return { mediaId: media.id, name }
    },
    resume() {
      for (const id of store.rerank.unfinished())
        if (!underWay.has(id)) {
          const at = clock()
          const error = toFailure(leftUnfinished(), at)
          deps.onRanking(store.rerank.finish(id, { state: 'broken', at, error }))
        }
      store.rerank.purge(clock() - binMs)
    },
    busy: underWay.busy,
    shutdown: underWay.shutdown,
    stopAll: underWay.stopAll,
  }
}

/**
 * Rejects input over a limit of service-notes 5 and 16, however many rounds it takes. `item` is the candidate's index, from 0.
 */
function checkRanking(
  { query, candidates }: RankingRequest,
  { queryChars, documentChars }: Limits['rerank'],
): void {
  const over = (what: string, text: string, limit: number, more = {}): void => {
    if (text.trim() === '')
      throw new AppError('BAD_REQUEST', `${what} is empty`, { params: { what, ...more } })
    if (!isLonger(text, limit)) return
    const params = { what, limit, value: charactersOf(text), ...more }
    throw new AppError('LIMIT_EXCEEDED', `${what} is longer than ${limit} characters`, { params })
  }
  over('query', query, queryChars)
  for (const [item, { text }] of candidates.entries())
    over('document', text, documentChars, { item })
}
