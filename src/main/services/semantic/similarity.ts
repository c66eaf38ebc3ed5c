import type { IndexRecord } from '../../store/semantic.ts'
import type { NearChunk } from '../../store/semantic-types.ts'
import { cosine, normalised } from '../../vectors/vector-index.ts'
import type { SemanticDeps } from './types.ts'

/**
 * Questions of everyday life that a library rarely answers. How near the nearest passage comes to most of them is what a model calls
 * near in this library without its meaning anything: models differ, and so do libraries.
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
/** What means nothing: an encoder puts words it does not know into one corner, where texts full of names and numbers lie as well. */
const nonsense = [
  'vrelk tossub minnary quoph',
  'zxcvb hjkl poiuy',
  'flumbo gratz nirp',
  'wqert yhnm bvc plok',
  'tramble oxnid fesk',
]
/** All that a model is asked to be known: about a hundred tokens, once for each service, model and number of dimensions. */
export const probes: readonly string[] = [...elsewhere, ...nonsense]

/** The upper quartile of what questions about other matters reach, and a tenth more: some of them a library may well answer. */
const quartile = 0.75
const above = 1.1
/** Whatever was measured, what is nearer than this is near. */
const maxBound = 0.6
/** Where nothing is near, the nearest are shown as what they are: so many, down to this share of the bound. */
const maxFar = 3
const far = 0.7
/** A question is nonsense that is nearly as near to nonsense as nonsense is to itself: measured 0.65 to 0.78, and questions reach 0.49. */
const minNonsenseSimilarity = 0.85

/** How a model sees one library. */
export interface Measure {
  /** The least cosine of a passage that is near. */
  readonly bound: number
  /** Whether a question is made of no words. */
  isNonsense(question: Float32Array): boolean
}

/** Tells what is near. */
export interface Closeness {
  /** Null while it cannot be told, as without the service. */
  measure(index: IndexRecord, signal?: AbortSignal): Promise<Measure | null>
}

/** Measures an index once, and again when it has grown or shrunk by a tenth. */
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
        const [nearest] = await store.semantic.ask({ ...all, tag: null, vector })
        if (nearest) tops.push(nearest.score)
      }
      if (tops.length === 0) return null
      const measure = measureOf(tops, noise)
      known.set(key, { chunks, measure })
      return measure
    },
  }
}

/** What is near, by how near the nearest passage came to questions about other matters, and by vectors (of length 1) of nonsense. */
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

/** The passages that are shown, and whether none of them is near. `known`: a word of the question stands somewhere in the Library. */
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
