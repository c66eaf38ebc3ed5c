import type { RankedCandidate, Ranking } from '../../../shared/model/rerank.ts'
import { byScore } from '../../../shared/rerank/order.ts'
import type { ServiceTarget } from '../../api/types.ts'
import { AppError } from '../../errors.ts'
import { packReply } from '../runs/pack.ts'
import { firstRound, furtherRound, mergeRounds, roundCount, type Round } from './rounds.ts'
import type { RerankDeps } from './types.ts'

/**
 * Requests the missing rounds of a ranking and saves each response at once (one that the store rejects is not requested again):
 * the first one alone, because the others include some of its candidates, the rest a few at a time. Returns the complete order;
 * throws the errors of requests, and REFUSED if the same text got different scores in two rounds, which then cannot be merged.
 */
export async function requestRounds(
  deps: Pick<RerankDeps, 'api' | 'store' | 'clock' | 'mask' | 'keep' | 'onRanking'>,
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
    deps.onRanking(await deps.keep(() => store.rerank.keepRound(id, number, round, deps.clock())))
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
