import { blockText } from '../../../../../shared/documents/block-text.ts'
import type { SearchHit } from '../../../../../shared/model/library.ts'
import type { Line } from '../../../../../shared/model/meeting.ts'
import type {
  Ranking,
  RankingSummary,
  RankedCandidate,
  Candidate,
} from '../../../../../shared/model/rerank.ts'
import { byScore } from '../../../../../shared/knowledge/rerank/order.ts'
import { limitsWith, type Limits } from '../../../../../shared/provider/limits.ts'
import { localAccountId } from '../../../../../shared/provider/profiles.ts'
import { charactersOf, isLonger } from '../../../../../shared/text/characters.ts'
import { readableLines } from '../../../../../shared/text/readable.ts'
import type { ServiceTarget } from '../../../../provider-client/types.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import { writeRanking } from '../../exports/rerank-export.ts'
import type { Store } from '../../../../library-database/store.ts'
import { fileName } from '../../../../platform/files/display-name.ts'
import { endBadly, leftUnfinished, type StoppedBy } from '../../../../runs/run-end.ts'
import { packReply } from '../../../../runs/pack-reply.ts'
import { createRunningRuns } from '../../../../runs/running-runs.ts'
import { shownTitle } from '../../../../runs/run-title.ts'
import { roundCount, firstRound, furtherRound, mergeRounds, type Round } from './rounds.ts'
import type { RankingRequest, Rerank, RerankDeps } from './rerank-types.ts'

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

  const report = (ranking: RankingSummary): void => deps.emit({ type: 'rerank.changed', ranking })

  /** Runs a ranking to its end, stores the result, and then reports it. */
  const execute = async (id: string, signal: AbortSignal): Promise<void> => {
    const ranking = need(id)
    const write = (end: Parameters<typeof store.rerank.finish>[1]): Promise<RankingSummary> =>
      deps.keep(() => store.rerank.finish(id, end), closing)
    try {
      const target = await deps.accounts.target(ranking.accountId)
      signal.throwIfAborted()
      const ranked = await requestRounds(deps, ranking, target, signal)
      report(await write({ state: 'done', at: clock(), ranked }))
    } catch (error) {
      if (!(error instanceof AppError) && !signal.aborted)
        deps.log.error('reranking failed', { error })
      const stoppedBy: StoppedBy = !signal.aborted ? 'nobody' : closing.aborted ? 'closing' : 'user'
      const { end } = endBadly(error, stoppedBy, clock())
      report(await write({ state: end.state, at: end.at, error: end.error }))
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
      report(ranking)
      return ranking
    },
    resumeRanking(id) {
      const { state, accountId } = need(id)
      if (state === 'done' || underWay.has(id))
        throw new AppError('REFUSED', 'The reranking is already complete')
      needAccount(accountId)
      const ranking = store.rerank.finish(id, { state: 'running', at: clock() })
      launch(id)
      report(ranking)
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
      report(ranking)
      return ranking
    },
    async remove(ids) {
      await Promise.all(ids.map(stop))
      store.rerank.bin(ids, clock()).forEach(report)
    },
    restore(ids) {
      store.rerank.bin(ids, null).forEach(report)
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
          report(store.rerank.finish(id, { state: 'broken', at, error }))
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

/**
 * Requests the missing rounds of a ranking and saves each response at once (one that the store rejects is not requested again):
 * the first one alone, because the others include some of its candidates, the rest a few at a time. Returns the complete order;
 * throws the errors of requests, and REFUSED if the same text got different scores in two rounds, which then cannot be merged.
 */
async function requestRounds(
  deps: Pick<RerankDeps, 'api' | 'store' | 'clock' | 'mask' | 'keep' | 'emit'>,
  ranking: Ranking,
  target: ServiceTarget,
  signal: AbortSignal,
): Promise<readonly RankedCandidate[]> {
  const { store } = deps
  const { id, count, topN } = ranking
  const batch = store.rerank.batch(id)
  const all = roundCount(count, batch)
  const answers = new Map(store.rerank.answers(id))

  const ask = async (number: number, { own, anchors }: Round): Promise<void> => {
    const places = [...anchors, ...own]
    const answer = await deps.api.rerank.create(
      target,
      {
        query: ranking.query,
        documents: places.map((place) => ranking.candidates[place]?.text ?? ''),
        // Rounds are cut when merged: their scores are compared first.
        topN: all === 1 ? topN : 0,
        returnRawScores: ranking.rawScores,
        returnDocuments: false,
      },
      { signal },
    )
    const scores = answer.value.map(({ index, score }) => ({ index: places[index] ?? -1, score }))
    const reply = await packReply(answer.raw)
    const masked = (text: string | null): string | null => (text === null ? null : deps.mask(text))
    const round = {
      scores,
      requestId: deps.mask(answer.requestId),
      engine: masked(answer.engine),
      notice: masked(answer.notice),
      usage: answer.usage,
      reply,
    }
    // The queue waits until its response is saved: memory stays bounded, and stopping meanwhile does not discard paid results.
    const saved = await deps.keep(() => store.rerank.keepRound(id, number, round, deps.clock()))
    deps.emit({ type: 'rerank.changed', ranking: saved })
    answers.set(number, scores)
  }

  if (!answers.has(0)) await ask(0, firstRound(count, batch))
  const first = answers.get(0) ?? []
  const waiting = Array.from({ length: all - 1 }, (_, at) => at + 1).filter(
    (round) => !answers.has(round),
  )
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      try {
        await ask(next, furtherRound(next, count, batch, first))
      } catch (error) {
        waiting.length = 0
        throw error
      }
  }
  const lanes = Math.max(1, Math.floor(target.profile.concurrency))
  const ends = await Promise.allSettled(Array.from({ length: lanes }, worker))
  for (const end of ends) if (end.status === 'rejected') throw end.reason

  if (all === 1) return first.toSorted(byScore)
  const merged = mergeRounds(Array.from({ length: all }, (_, round) => answers.get(round) ?? []))
  if ('disagreement' in merged) {
    const { index, round, first: before, later } = merged.disagreement
    throw new AppError('REFUSED', 'Scores of different requests cannot be compared', {
      params: { why: 'rounds', item: index + 1, round: round + 1, first: before, later },
    })
  }
  return topN === 0 ? merged.ranked : merged.ranked.slice(0, topN)
}

/** Length of a passage cut from a longer text around the match, in characters. */
const aroundChars = 1200

/** Lines before and after the match: a single line of speech carries little information. */
const nearLines = 1

/** The parts of the store that passages are read from. */
type PassageStore = Pick<Store, 'documents' | 'chats' | 'meetings' | 'speech' | 'samples' | 'items'>

/** The whole passage of each result, cut to `most` characters; without duplicates. */
function passagesOf(
  store: PassageStore,
  hits: readonly SearchHit[],
  maxChars: number,
): readonly Candidate[] {
  const lines = new Map<string, readonly Line[]>()
  const linesOf = (id: string): readonly Line[] => {
    const known = lines.get(id) ?? store.meetings.lines(id)
    lines.set(id, known)
    return known
  }
  const seen = new Set<string>()
  return hits.flatMap((hit): Candidate[] => {
    const text = cut((textOf(store, hit, linesOf) || hit.snippet).trim(), maxChars)
    const key = `${hit.itemId} ${text}`
    if (text === '' || seen.has(key)) return []
    seen.add(key)
    const { itemId, kind, title, partId, page } = hit
    return [{ text, source: { itemId, kind, title, partId, page: page ?? null } }]
  })
}

function textOf(
  store: PassageStore,
  { field, partId, itemId, kind, offset, title }: SearchHit,
  linesOf: (id: string) => readonly Line[],
): string {
  if (field === 'title' || partId === null) {
    const excerpt = store.items.summary(itemId)?.excerpt ?? ''
    return excerpt === '' || excerpt === title ? title : `${title}\n${excerpt}`
  }
  if (field === 'block') {
    const block = store.documents.block(partId)
    return block ? blockText(block) : ''
  }
  if (field === 'piece') return around(store.speech.segment(partId)?.text ?? '', offset)
  if (field === 'message') return readableLines(aroundInMessage(store, partId, offset))
  if (kind === 'voice') return around(store.samples.get(itemId)?.text.text ?? '', offset)
  if (kind !== 'meeting') return ''
  const lines = linesOf(itemId)
  const at = lines.findIndex(({ id }) => id === partId)
  if (at === -1) return ''
  const join = (some: readonly Line[]): string => some.map(({ text }) => text).join('\n')
  const from = Math.max(0, at - nearLines)
  // A line of a former recording is its whole text.
  const start = from === at ? 0 : join(lines.slice(from, at)).length + 1
  return around(join(lines.slice(from, at + nearLines + 1)), start + offset)
}

/** Returns the part of a message around a position; of a long message, only this range is read. */
function aroundInMessage(store: PassageStore, id: string, offset: number): string {
  const message = store.chats.message(id)
  if (!message?.shortened) return around(message?.text ?? '', offset)
  const from = Math.max(0, offset - aroundChars)
  return around(store.chats.textAt(id, from, 2 * aroundChars), offset - from)
}

/** The part of a long text around a position, at sentence boundaries if they are near. */
function around(text: string, offset: number): string {
  if (text.length <= aroundChars) return text
  const half = aroundChars / 2
  const from = Math.max(0, Math.min(offset - half, text.length - aroundChars))
  const excerpt = text.slice(from, from + aroundChars).toWellFormed()
  const begin = from === 0 ? 0 : excerpt.slice(0, half / 2).search(/(?<=[.!?。！？\n])\s*\S/u)
  return excerpt.slice(Math.max(0, begin))
}

const cut = (text: string, maxChars: number): string =>
  text.length <= maxChars
    ? text
    : text
        .slice(0, maxChars)
        .toWellFormed()
        .replace(/\uFFFD$/u, '')
