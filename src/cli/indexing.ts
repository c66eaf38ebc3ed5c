import { setTimeout as sleep } from 'node:timers/promises'
import type { KnowledgeDocument } from '../main/provider-client/document-replies.ts'
import type { ServiceTarget } from '../main/provider-client/types.ts'
import type { Api } from '../main/provider-client/api.ts'
import { AppError } from '../main/errors.ts'
import { limits } from '../shared/provider/limits.ts'

interface IndexingDeps {
  readonly api: Pick<Api, 'documents' | 'knowledge'>
  readonly target: ServiceTarget
  readonly signal: AbortSignal
  /** Prints text for the user. */
  say(text: string): void
}

/** Documents that a request affects, by their IDs or those of their knowledge bases. */
export interface Watched {
  readonly bases: readonly string[]
  readonly documents: readonly string[]
}

type Input = Readonly<Record<string, unknown>>

/** Milliseconds between two checks of the indexing status. */
const pauseMs = 200

const texts = (value: unknown): readonly string[] =>
  [value].flat().filter((one) => typeof one === 'string')

/** Returns what a request makes the provider index; null if it indexes nothing. */
export function indexedBy(operation: string, input: Input): Watched | null {
  if (operation === 'documents.upload') return { bases: texts(input['knowledgeId']), documents: [] }
  if (operation === 'knowledge.update') return { bases: texts(input['id']), documents: [] }
  return operation === 'documents.embed' ? { bases: [], documents: texts(input['id']) } : null
}

/** Returns what a request searches, because documents that are not indexed are not found; null if it searches nothing. */
export function searchedBy(operation: string, input: Input): Watched | null {
  const { retrieval } = input
  if (operation === 'knowledge.retrieve')
    return { bases: texts(input['knowledgeIds']), documents: [] }
  if (operation !== 'agents.chat' || typeof retrieval !== 'object' || retrieval === null)
    return null
  return {
    bases: 'knowledgeIds' in retrieval ? texts(retrieval.knowledgeIds) : [],
    documents: [],
  }
}

const counted = (n: number): string => (n === 1 ? '1 document' : `${n} documents`)
const isOpen = ({ state }: KnowledgeDocument): boolean => state === 'running'

async function fetchDocuments(
  { bases, documents }: Watched,
  { api, target, signal }: IndexingDeps,
): Promise<readonly KnowledgeDocument[]> {
  const all: KnowledgeDocument[] = []
  const size = limits.list.pageSize
  for (const knowledgeId of bases)
    for (let page = 1; ; page++) {
      const { value } = await api.documents.list(target, { knowledgeId, page, size }, { signal })
      all.push(...value.documents)
      if (value.documents.length === 0 || page * size >= value.total) break
    }
  for (const id of documents) all.push((await api.documents.get(target, { id }, { signal })).value)
  return all
}

/** Reports which knowledge bases have no content to find. */
export async function reportEmpty(watched: Watched, deps: IndexingDeps): Promise<void> {
  const { api, target, signal, say } = deps
  for (const id of watched.bases) {
    const { value } = await api.documents.list(target, { knowledgeId: id, size: 1 }, { signal })
    if (value.total > 0) continue
    const base = await api.knowledge.get(target, { id }, { signal })
    say(`Knowledge base ${base.value.name} has no documents.\n`)
  }
}

/** Reports how many documents are not indexed yet. */
export async function reportOpen(watched: Watched, deps: IndexingDeps): Promise<void> {
  const open = (await fetchDocuments(watched, deps)).filter(isOpen).length
  if (open === 0) return
  deps.say(
    `${counted(open)} ${open === 1 ? 'is' : 'are'} not indexed yet. A search or upload without --no-wait indexes the rest.\n`,
  )
}

/** Waits until all documents are indexed, and reports the result of each. Throws CANCELLED. */
export async function awaitIndexed(watched: Watched, deps: IndexingDeps): Promise<void> {
  const { signal, say } = deps
  try {
    let open = (await fetchDocuments(watched, deps)).filter(isOpen)
    const total = open.length
    if (total > 0) say(`Indexing ${counted(total)}…\n`)
    for (let done = 0; open.length > 0;) {
      await sleep(pauseMs, undefined, { signal })
      const now = new Map((await fetchDocuments(watched, deps)).map((one) => [one.id, one]))
      for (const { id, name } of open) {
        const { state, failure } = now.get(id) ?? { state: 'failed', failure: null }
        if (state === 'running') continue
        done += 1
        if (state === 'failed')
          say(`Not indexed: ${name} (${failure?.message ?? 'no longer exists'})\n`)
        else say(`Indexed ${done} of ${total}: ${name}\n`)
      }
      open = open.filter(({ id }) => now.get(id)?.state === 'running')
    }
  } catch (error) {
    if (!signal.aborted) throw error
    say('Indexing stopped. The next search or upload resumes it.\n')
    throw new AppError('CANCELLED', 'Stopped', { cause: error })
  }
}
