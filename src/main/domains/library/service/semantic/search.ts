import type { Failure } from '../../../../../shared/contract/reply.ts'
import { itemTraits, type ItemKind, type SearchHit } from '../../../../../shared/model/library.ts'
import {
  isAutomatic,
  meaningKinds,
  type SemanticReply,
  type SemanticHit,
} from '../../../../../shared/model/semantic.ts'
import { locate, merge } from '../../../../../shared/text/locate.ts'
import { parseQuery } from '../../../../../shared/text/query.ts'
import { AppError, toFailure } from '../../../../errors.ts'
import { snippet } from '../../../../platform/database/search-snippet.ts'
import type { ChunkRow, NearChunk } from '../../store/semantic-types.ts'
import type { Store } from '../../../../library-database/store.ts'
import { partAt } from '../../../../platform/vectors/chunks.ts'
import { keywords } from '../keywords.ts'
import { fuseRanks } from './fuse.ts'
import { closeOnes, type Closeness, type Measure } from './similarity.ts'
import type { SemanticDeps, SemanticQuery } from './types.ts'

/**
 * Number of chunks considered by semantic search: more than are shown, because merging and reranking promote others.
 */
const maxNear = 128

type Meaning = Pick<SemanticReply, 'meaningError' | 'engine' | 'notice'> & {
  readonly measure: Measure | null
  readonly question: Float32Array | null
  readonly near: readonly NearChunk[]
  readonly embedMs: number | null
  readonly nearMs: number | null
}

/** Runs semantic and keyword search in parallel, merges the results, and reranks them on request. */
export async function searchMeaning(
  deps: SemanticDeps & { readonly closeness: Closeness },
  query: SemanticQuery,
  signal?: AbortSignal,
): Promise<SemanticReply> {
  const keywordsBegan = performance.now()
  let keywordsMs = 0
  const [meaning, words] = await Promise.all([
    findMeaning(deps, query, signal),
    findTerms(deps.store, { ...query, kinds: query.kinds ?? meaningKinds }).finally(() => {
      keywordsMs = performance.now() - keywordsBegan
    }),
  ])
  const chunks = await chunksOfHits(deps, query.indexId, words)
  const { near: nearest, measure, question, embedMs, nearMs, ...rest } = meaning
  const known = words.length > 0
  const { shown: near, isFar } = closeOnes(nearest, { measure, question, known })
  const found = mergeHits(query.query, near, words, chunks)
  const ranked = await rerankHits(deps, query, found, signal)
  return {
    ...rest,
    closest: isFar ? (nearest[0]?.score ?? null) : null,
    hits: ranked.hits.slice(0, query.limit),
    timings: { embed: embedMs, meaning: nearMs, words: rounded(keywordsMs), rerank: ranked.ms },
    rerankError: ranked.error,
    rerankEngine: ranked.engine,
    rerankNotice: ranked.notice,
  }
}

/**
 * Returns the nearest chunks, or the reason why there are none: without a vector of the question, only keyword search
 * remains.
 */
async function findMeaning(
  { store, texts, clock, mask, closeness }: SemanticDeps & { readonly closeness: Closeness },
  { query, indexId, kinds, from, until, tag, starred }: SemanticQuery,
  signal: AbortSignal | undefined,
): Promise<Meaning> {
  const none: Meaning = {
    near: [],
    measure: null,
    question: null,
    embedMs: null,
    nearMs: null,
    meaningError: null,
    engine: null,
    notice: null,
  }
  const index = indexId === null ? undefined : store.semantic.get(indexId)
  if (!index) return none
  const began = performance.now()
  try {
    const { accountId, model, dimensions, id, createdAt } = index
    let vector: Float32Array | null = null
    const { engine, notice } = await texts.embed(
      { accountId, model, dimensions, texts: [query] },
      {
        signal,
        atOnce: true,
        onVectors: ([first]) => (vector = first ? Float32Array.from(first.vector) : null),
      },
    )
    const embedded = performance.now()
    if (!vector) return none
    // Searches with the automatic index are no choice of it.
    if (store.writable && !isAutomatic(index)) store.semantic.update(id, { usedAt: clock() })
    const near = await store.semantic.ask({
      ask: 'search',
      index: { id, createdAt, dimensions },
      vector,
      limit: maxNear,
      kinds,
      from,
      until,
      tag,
      starred,
    })
    const measured = performance.now()
    return {
      ...none,
      near,
      measure: await closeness.measure(index, signal),
      question: vector,
      embedMs: rounded(embedded - began),
      nearMs: rounded(measured - embedded),
      engine: engine === null ? index.engine : mask(engine),
      notice: notice === null ? null : mask(notice),
    }
  } catch (error) {
    if (signal?.aborted || !(error instanceof AppError)) throw error
    return { ...none, meaningError: toFailure(error, clock()) }
  }
}

/**
 * Returns the chunks that contain keyword results, so that a location found by both searches is one result.
 */
async function chunksOfHits(
  { store }: SemanticDeps,
  indexId: number | null,
  hits: readonly SearchHit[],
): Promise<readonly (ChunkRow | null)[]> {
  if (indexId === null || hits.length === 0) return hits.map(() => null)
  return store.semantic.ask({
    ask: 'locate',
    indexId,
    places: hits.map(({ itemId, partId, offset }) => ({ itemId, partId: partId ?? '', offset })),
  })
}

function mergeHits(
  query: string,
  near: readonly NearChunk[],
  words: readonly SearchHit[],
  chunks: readonly (ChunkRow | null)[],
): FoundText[] {
  const keyOfChunk = ({ seq }: ChunkRow): string => `chunk ${seq}`
  const byWords = new Map<string, { readonly hit: SearchHit; readonly chunk: ChunkRow | null }>()
  for (const [at, hit] of words.entries()) {
    const chunk = chunks[at] ?? null
    const key = chunk ? keyOfChunk(chunk) : `words ${hit.itemId} ${hit.partId ?? ''}`
    if (!byWords.has(key)) byWords.set(key, { hit, chunk })
  }
  const byMeaning = new Map(near.map((chunk) => [keyOfChunk(chunk), chunk]))
  const show = hitMaker(query)
  return fuseRanks([...byMeaning.keys()], [...byWords.keys()]).flatMap(
    ({ key, meaning, words: place }, at) => {
      const chunk = byMeaning.get(key)
      const other = byWords.get(key)
      // A keyword result shows its exact location.
      const shown = chunk && show(chunk)
      const hit = other?.hit ?? shown?.hit
      if (!hit) return []
      const lit = other
        ? highlightedPhrase(hit.snippet, hit.ranges[0]?.[0] ?? 0)
        : (shown?.lit ?? '')
      const ranks = { meaning, words: place, fused: at + 1, reranked: null }
      const text = chunk?.text ?? other?.chunk?.text ?? `${hit.title}\n${hit.snippet}`
      return [{ hit: { ...hit, lit, ranks, cosine: chunk?.score ?? null }, text }]
    },
  )
}

/** Creates results from chunks: the snippet begins at a word of the question, otherwise at the beginning. */
function hitMaker(
  query: string,
): (chunk: ChunkRow) => { readonly hit: SearchHit; readonly lit: string } | null {
  const terms = parseQuery(keywords(query).join(' '))
  return ({ itemId, kind, title, createdAt, text, parts }) => {
    const ranges = merge(locate(text, terms).flat())
    const offset = ranges[0]?.[0] ?? 0
    const place = partAt(parts, offset)
    if (!place) return null
    const cut = snippet(text, offset, ranges, kind === 'conversation' || kind === 'document')
    const hit: SearchHit = {
      itemId,
      kind,
      title,
      field: itemTraits[kind].part,
      partId: place.part.id,
      ...(place.part.page !== undefined && { page: place.part.page }),
      snippet: cut.text,
      ranges: cut.ranges,
      offset: place.offset,
      createdAt,
    }
    return { hit, lit: highlightedPhrase(text, offset) }
  }
}

/** Maximum words and characters of a phrase: enough to be unique, and short enough to fit on one line. */
const maxWords = 6
const maxChars = 40

/**
 * Returns a phrase of a text from an offset, as a query that finds it as a whole: a semantic result opens where no word
 * of the question may occur. It ends at the end of the line and contains no quotation mark.
 */
function highlightedPhrase(text: string, offset: number): string {
  const line = text.slice(offset).split('\n', 1)[0] ?? ''
  const clean = line.split(/["“”„＂…]/u).find((part) => /[\p{L}\p{N}]/u.test(part)) ?? ''
  const words = clean.trim().split(/\s+/).slice(0, maxWords)
  let phrase = ''
  for (const word of words) {
    const longer = phrase === '' ? word : `${phrase} ${word}`
    if (phrase !== '' && longer.length > maxChars) break
    phrase = longer
  }
  const short = Array.from(phrase).slice(0, maxChars).join('')
  return short === '' ? '' : `"${short}"`
}

/** Maximum hits of the whole question, and of each of its words alone. */
const wholeHits = 50
const hitsPerWord = 20

/** Search query and its time range. */
interface TermsQuery {
  readonly query: string
  readonly kinds: readonly ItemKind[] | null
  /** Unix milliseconds; `from` is inclusive, `until` is exclusive. */
  readonly from: number | null
  readonly until: number | null
  readonly tag: string | null
  readonly starred: boolean
}

/** Returns a key for a location within an item. */
const placeOf = ({ itemId, partId }: SearchHit): string => `${itemId} ${partId ?? ''}`

/**
 * Returns the locations found by keyword search, best first: those that contain the whole question, then those that
 * share words with it, with rare words weighted higher. A question has more words than its answer, so requiring all of
 * them would find little.
 */
async function findTerms(
  store: Pick<Store, 'search' | 'entries'>,
  { query, kinds, from, until, tag, starred }: TermsQuery,
): Promise<readonly SearchHit[]> {
  const search = async (words: string, limit: number): Promise<readonly SearchHit[]> => {
    const { hits } = await store.search.search({
      query: words.slice(0, 500),
      limit,
      ...(kinds && { kinds }),
    })
    if (from === null && until === null && tag === null && !starred) return hits
    const fits = store.entries.among([...new Set(hits.map(({ itemId }) => itemId))], {
      ...(from !== null && { from }),
      ...(until !== null && { to: until }),
      ...(tag !== null && { tag }),
      ...(starred && { starred }),
    })
    return hits.filter(({ itemId }) => fits.has(itemId))
  }
  const found = new Map<string, { readonly hit: SearchHit; weight: number }>()
  for (const hit of await search(query, wholeHits)) found.set(placeOf(hit), { hit, weight: 100 })
  for (const word of keywords(query)) {
    const hits = await search(word, hitsPerWord)
    for (const hit of hits) {
      const known = found.get(placeOf(hit))
      const weight = 1 / Math.sqrt(hits.length)
      if (known) known.weight += weight
      else found.set(placeOf(hit), { hit, weight })
    }
  }
  return [...found.values()].toSorted((a, b) => b.weight - a.weight).map(({ hit }) => hit)
}

/** Result before ranking, with the text to rerank. */
interface FoundText {
  readonly hit: Omit<SemanticHit, 'relevance'>
  readonly text: string
}

/** Rounds milliseconds to two decimals. */
const rounded = (ms: number): number => Math.round(ms * 100) / 100

/** Results in their final order. */
interface RerankedHits {
  readonly hits: readonly SemanticHit[]
  readonly ms: number | null
  readonly error: Failure | null
  readonly engine: string | null
  readonly notice: string | null
}

/**
 * Reranks the first results by their text (service-notes 5): as many as the provider accepts, each within its character
 * limit; the others follow in their order. Without an account for reranking, or if it fails, the order is unchanged.
 */
async function rerankHits(
  { api, accounts, clock, mask }: SemanticDeps,
  { query, rerankBy }: Pick<SemanticQuery, 'query' | 'rerankBy'>,
  found: readonly FoundText[],
  signal?: AbortSignal,
): Promise<RerankedHits> {
  const asTheyAre = found.map(({ hit }): SemanticHit => ({ ...hit, relevance: null }))
  const left = { hits: asTheyAre, ms: null, error: null, engine: null, notice: null }
  if (rerankBy === null || found.length < 2) return left
  const began = performance.now()
  try {
    const target = await accounts.target(rerankBy)
    const { documents: maxDocuments, documentChars, queryChars } = target.limits.rerank
    const answer = await api.rerank.create(
      target,
      {
        query: firstCharacters(query, queryChars),
        documents: found
          .slice(0, maxDocuments)
          .map(({ text }) => firstCharacters(text, documentChars)),
      },
      signal ? { signal } : {},
    )
    const first = answer.value
      .toSorted((a, b) => b.score - a.score)
      .flatMap(({ index, score }) => {
        const hit = asTheyAre[index]
        return hit ? [{ ...hit, relevance: score }] : []
      })
    const ranked = new Set(answer.value.map(({ index }) => index))
    const rest = asTheyAre.filter((_, index) => !ranked.has(index))
    return {
      hits: [
        ...first.map((hit, at) => ({ ...hit, ranks: { ...hit.ranks, reranked: at + 1 } })),
        ...rest,
      ],
      ms: rounded(performance.now() - began),
      error: null,
      engine: answer.engine === null ? null : mask(answer.engine),
      notice: answer.notice === null ? null : mask(answer.notice),
    }
  } catch (error) {
    if (signal?.aborted || !(error instanceof AppError)) throw error
    return { ...left, error: toFailure(error, clock()) }
  }
}

/** Returns the first characters (code points) of a text. */
function firstCharacters(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : Array.from(text.slice(0, limit * 2))
        .slice(0, limit)
        .join('')
}
