import { isEnglish } from '../../shared/text/language.ts'
import { wordShares } from '../engines/text-score.ts'
import type { TextEngine } from '../engines/text.ts'
import type { EmbeddingMethod } from '../engines/text-messages.ts'
import { dimensions } from './embed.ts'
import type { Scope, SliceStore, StoredSlice } from './slices.ts'

/** Retrieval query (service-notes 7). */
export interface RetrievalQuery extends Scope {
  readonly query: string
  /** Number of slices in the response. */
  readonly topK: number
  /** Number of candidates per retrieval method. */
  readonly topN: number
  readonly method: 'embedding' | 'keyword' | 'mixed'
  /** Weight of the vectors in a mixed score, 0 to 100. */
  readonly ratio: number
  readonly rerank: boolean
  /** Minimum score, 0 to 1. */
  readonly threshold: number
}

/** Slice with its relevance, 0 to 1. */
export interface Found extends StoredSlice {
  readonly score: number
  /** Null unless it was reranked. */
  readonly rerankScore: number | null
}

/**
 * Cosines of n-grams are smaller than those of the encoder: a short question shares few n-grams with a passage.
 */
const ngramGain = 1.5

/**
 * Returns the nearest slices, best first, up to a limit, and the cosine of each slice that is comparable with the
 * question.
 */
function nearest(
  store: SliceStore,
  scope: Scope,
  question: { readonly vector: Float32Array; readonly method: EmbeddingMethod },
  maxCount: number,
): { readonly seqs: readonly number[]; readonly near: ReadonlyMap<number, number> } {
  const gain = question.method === 'encoder' ? 1 : ngramGain
  const near = new Map<number, number>()
  for (const { seq, method, vector } of store.vectors(scope))
    // Vectors of different methods are not comparable.
    if (method === question.method)
      near.set(seq, Math.min(1, Math.max(0, dot(question.vector, vector)) * gain))
  const seqs = Array.from(near)
    .filter(([, score]) => score > 0)
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, maxCount)
    .map(([seq]) => seq)
  return { seqs, near }
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0)
  return sum
}

/** Returns the slices that match a question best, best first. */
export async function retrieve(
  question: RetrievalQuery,
  store: SliceStore,
  text: TextEngine,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const { query, topN, method, ratio } = question
  const meaning = method === 'keyword' ? undefined : await text.embed([query], dimensions, signal)
  const [vector] = meaning?.vectors ?? []
  const [kind] = meaning?.methods ?? []
  const byMeaning =
    vector && kind
      ? nearest(store, question, { vector, method: kind }, topN)
      : { seqs: [], near: new Map<number, number>() }
  const byWords = method === 'embedding' ? [] : store.byWords(query, question, topN)
  const slices = store.get(Array.from(new Set([...byMeaning.seqs, ...byWords])))
  const shares = wordShares(
    query,
    slices.map((slice) => `${slice.context}\n${slice.text}`),
    isEnglish(query),
  )
  const share = ratio / 100
  const scored = slices.map((slice, i): Found => {
    const near = byMeaning.near.get(slice.seq)
    const words = Math.min(1, shares[i] ?? 0)
    const mixed = near === undefined ? words : share * near + (1 - share) * words
    const score = method === 'embedding' ? (near ?? 0) : method === 'keyword' ? words : mixed
    return { ...slice, score, rerankScore: null }
  })
  const best = byScore(scored).slice(0, topN)
  const ranked = question.rerank ? await reranked(query, best, text, signal) : best
  return ranked.filter(({ score }) => score >= question.threshold).slice(0, question.topK)
}

const byScore = (found: readonly Found[]): readonly Found[] =>
  found.toSorted((a, b) => b.score - a.score || a.seq - b.seq)

async function reranked(
  query: string,
  found: readonly Found[],
  text: TextEngine,
  signal: AbortSignal,
): Promise<readonly Found[]> {
  const ranks = await text.rank(
    query,
    found.map((slice) => slice.text),
    signal,
  )
  return byScore(
    found.map((slice, i) => {
      const score = ranks[i]?.score ?? 0
      return { ...slice, score, rerankScore: score }
    }),
  )
}
