import type { IndexRecord } from '../../store/semantic-store.ts'
import type { NearChunk } from '../../store/semantic-types.ts'
import { cosine, normalised } from '../../../../platform/vectors/vector-index.ts'
import type { SemanticDeps } from './types.ts'

/**
 * Everyday questions that a library rarely answers. The similarity of the nearest passage to most of them is the model's
 * baseline for unrelated text in this library: it differs by model and by library.
 */
const elsewhere = [
  'who won the football world cup in 1954',
  'how do penguins keep their eggs warm',
  'best hiking boots for wet weather',
  'the mating season of red deer',
  'my grandmother knitted a blue scarf',
  'volcanoes of Iceland',
  'how to grow tomatoes on a balcony',
  'lyrics of a love song about the sea',
  'the price of copper in Chile',
  'why do cats purr',
  'train from Vienna to Prague',
  'treatment of a sprained ankle',
]
/**
 * Meaningless texts: an encoder maps unknown words to one region, where texts full of names and numbers are as well.
 */
const nonsense = [
  'vrelk tossub minnary quoph',
  'zxcvb hjkl poiuy',
  'flumbo gratz nirp',
  'wqert yhnm bvc plok',
  'tramble oxnid fesk',
]
/** All texts used for calibration: about 100 tokens, once per provider, model and number of dimensions. */
export const probes: readonly string[] = [...elsewhere, ...nonsense]

/**
 * Upper quartile of the similarities to unrelated questions, plus 10%: a library may well answer some of them.
 */
const quartile = 0.75
const above = 1.1
/** Maximum bound: anything more similar is considered near, regardless of the measurement. */
const maxBound = 0.6
/**
 * If nothing is near, up to this many of the nearest passages are shown, marked as such, down to this share of the
 * bound.
 */
const maxFar = 3
const far = 0.7
/**
 * A question is nonsense if it is nearly as similar to nonsense as nonsense is to itself: measured 0.65 to 0.78, while
 * real questions reach 0.49.
 */
const minNonsenseSimilarity = 0.85

/** Similarity calibration of a model for one library. */
export interface Measure {
  /** Minimum cosine of a relevant passage. */
  readonly bound: number
  /** Returns whether a question contains no real words. */
  isNonsense(question: Float32Array): boolean
}

/** Calibrates similarity for indexes. */
export interface Closeness {
  /** Returns null while it cannot be measured, for example while the provider is not available. */
  measure(index: IndexRecord, signal?: AbortSignal): Promise<Measure | null>
}

/** Measures an index once, and again after it grew or shrank by 10%. */
export function createCloseness({
  store,
  texts,
}: Pick<SemanticDeps, 'store' | 'texts'>): Closeness {
  const known = new Map<string, { readonly chunks: number; readonly measure: Measure }>()
  return {
    async measure({ id, createdAt, accountId, model, dimensions, chunks }, signal) {
      const key = `${id} ${createdAt}`
      const before = known.get(key)
      if (before && Math.abs(before.chunks - chunks) <= before.chunks / 10) return before.measure
      const vectors = new Map<number, Float32Array>()
      try {
        await texts.embed(
          { accountId, model, dimensions, texts: probes },
          {
            signal,
            atOnce: true,
            onVectors(some) {
              for (const { places, vector } of some)
                for (const place of places) vectors.set(place, Float32Array.from(vector))
            },
          },
        )
      } catch (error) {
        if (signal?.aborted) throw error
        return before?.measure ?? null
      }
      const index = { id, createdAt, dimensions }
      const all = { ask: 'search', index, limit: 1, kinds: null, from: null, until: null } as const
      const tops: number[] = []
      const noise: Float32Array[] = []
      for (const [place, vector] of vectors) {
        if (place >= elsewhere.length) {
          noise.push(normalised(vector))
          continue
        }
        const [nearest] = await store.semantic.ask({ ...all, tag: null, starred: false, vector })
        if (nearest) tops.push(nearest.score)
      }
      if (tops.length === 0) return null
      const measure = measureOf(tops, noise)
      known.set(key, { chunks, measure })
      return measure
    },
  }
}

/**
 * Computes the calibration from the top similarities to unrelated questions and from unit vectors of nonsense.
 */
export function measureOf(tops: readonly number[], noise: readonly Float32Array[]): Measure {
  const pairs = noise.flatMap((one, at) => noise.slice(at + 1).map((other) => cosine(one, other)))
  const itself = at(pairs, 0.5)
  return {
    bound: Math.min(maxBound, Math.max(0, at(tops, quartile) * above)),
    isNonsense: (question) =>
      itself > 0 && noise.some((one) => cosine(one, question) >= itself * minNonsenseSimilarity),
  }
}

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0

/**
 * Returns the passages to show, and whether none of them is near. `known`: a word of the question occurs in the Library.
 */
export function closeOnes(
  near: readonly NearChunk[],
  {
    measure,
    question,
    known,
  }: { measure: Measure | null; question: Float32Array | null; known: boolean },
): { readonly shown: readonly NearChunk[]; readonly isFar: boolean } {
  if (measure === null) return { shown: near, isFar: false }
  if (!known && question && measure.isNonsense(question)) return { shown: [], isFar: true }
  const close = near.filter(({ score }) => score >= measure.bound)
  if (close.length > 0) return { shown: close, isFar: false }
  const minScore = measure.bound * far
  return { shown: near.slice(0, maxFar).filter(({ score }) => score >= minScore), isFar: true }
}
