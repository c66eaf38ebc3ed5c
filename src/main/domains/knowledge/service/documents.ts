import type { Failure } from '../../../../shared/contract/reply.ts'
import type { ParsedOf } from '../../../../shared/contract/routes.ts'
import type {
  KnowledgeDocument,
  KnowledgeDocuments,
  ManyOutcome,
} from '../../../../shared/model/knowledge.ts'
import type { ServiceTarget } from '../../../provider-client/types.ts'
import type { Api } from '../../../provider-client/api.ts'
import { AppError, toFailure } from '../../../errors.ts'
import type { ListedDocument } from '../store/knowledge-documents.ts'
import { fetchList, pageSizeOf } from '../../../mirror/fetch-list.ts'
import type { BaseRef } from './bases.ts'
import type { Context } from '../../../context.ts'

/** Documents of knowledge bases: read from the mirror, fetched into it, removed, embedded again. */
export interface BaseDocuments {
  list(
    request: Omit<ParsedOf<'knowledge.documents'>, keyof BaseRef>,
    ref: BaseRef,
  ): KnowledgeDocuments
  /** Fetches all documents, or those whose name contains `word`. Throws the failure of a page; the pages before it are saved. */
  fetch(ref: BaseRef, word?: string): Promise<void>
  /** Fetches one. Marks one that the provider no longer has. Throws the failures of the provider. */
  fetchOne(ref: BaseRef, id: string): Promise<KnowledgeDocument | undefined>
  remove(ref: BaseRef, ids: readonly string[]): Promise<ManyOutcome>
  /** Embeds documents again; all failed ones when none is specified. */
  embed(ref: BaseRef, ids: readonly string[] | null): Promise<ManyOutcome>
}

/** Maximum number of parallel requests of one operation. */
const atOnce = 3

export function createBaseDocuments(
  deps: Pick<Context, 'store' | 'api' | 'accounts' | 'clock' | 'emit'>,
): BaseDocuments {
  const { store, api, accounts, clock } = deps
  const { documents, bases, log } = store.knowledge
  const changed = ({ accountId, baseId }: BaseRef): void =>
    deps.emit({ type: 'knowledge.changed', accountId, baseId })
  const failures = new Map<string, Failure>()
  const keyOf = ({ accountId, baseId }: BaseRef): string => `${accountId}\n${baseId}`

  const nameOf = (ref: BaseRef, id: string): string =>
    documents.get(ref.accountId, ref.baseId, id)?.name ?? id
  const many = async (
    ref: BaseRef,
    ids: readonly string[],
    what: 'removed' | 'embedded',
    action: (target: ServiceTarget, id: string) => Promise<unknown>,
  ): Promise<ManyOutcome> => {
    const target = await accounts.target(ref.accountId)
    const failed: { readonly id: string; readonly error: Failure }[] = []
    const names: string[] = []
    const left = [...ids]
    const work = async (): Promise<void> => {
      for (let id = left.shift(); id !== undefined; id = left.shift())
        try {
          await action(target, id)
          names.push(nameOf(ref, id))
        } catch (error) {
          if (!(error instanceof AppError)) throw error
          failed.push({ id, error: toFailure(error, clock()) })
        }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    if (names.length > 0)
      log.add(ref.accountId, ref.baseId, { what, n: names.length, names }, clock())
    changed(ref)
    return { done: names.length, failures: failed }
  }

  const fetchOne: BaseDocuments['fetchOne'] = async (ref, id) => {
    const { accountId, baseId } = ref
    const target = await accounts.target(accountId)
    const fetchRun = documents.fetch()
    try {
      const { value } = await api.documents.get(target, { id }, {})
      documents.keepAll(accountId, baseId, [{ ...listedDocument(value), id }], clock(), {
        whole: false,
        fetch: fetchRun,
      })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'SERVICE_NOT_FOUND') throw error
      documents.markGone(accountId, baseId, [id], 'unlisted', clock(), fetchRun)
    } finally {
      fetchRun.end()
    }
    return documents.get(accountId, baseId, id)
  }

  return {
    fetchOne,
    list(request, { accountId, baseId }) {
      const { running, failed } = documents.counts(accountId, baseId)
      return {
        ...documents.list({ accountId, baseId, ...request }),
        running,
        failed,
        listedAt: bases.get(accountId, baseId)?.documentsSeenAt ?? null,
        failure: failures.get(keyOf({ accountId, baseId })) ?? null,
      }
    },
    async fetch(ref, word = '') {
      const { accountId, baseId } = ref
      const query = word.trim()
      try {
        const target = await accounts.target(accountId)
        const size = pageSizeOf(target)
        await fetchList(
          size,
          documents.fetch,
          async (page) => {
            const request = {
              knowledgeId: baseId,
              page,
              size,
              ...(query !== '' && { word: query }),
            }
            const { value } = await api.documents.list(target, request, {})
            return { rows: value.documents.map(listedDocument), total: value.total }
          },
          (rows, { whole, fetch }) => {
            // A document that a search does not find may still exist.
            const options = { whole: whole && query === '', fetch }
            if (store.writable) documents.keepAll(accountId, baseId, rows, clock(), options)
          },
        )
        failures.delete(keyOf(ref))
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        failures.set(keyOf(ref), toFailure(error, clock()))
        changed(ref)
        throw error
      }
      changed(ref)
    },
    remove: (ref, ids) =>
      many(ref, ids, 'removed', async (target, id) => {
        try {
          await api.documents.delete(target, { id }, {})
        } catch (error) {
          // It was already removed, which is the intended result.
          if (!(error instanceof AppError) || error.code !== 'SERVICE_NOT_FOUND') throw error
        }
        documents.markGone(ref.accountId, ref.baseId, [id], 'deleted', clock())
      }),
    embed(ref, ids) {
      const { accountId, baseId } = ref
      const wanted = ids ?? documents.inState(accountId, baseId, 'failed').map(({ id }) => id)
      return many(ref, wanted, 'embedded', async (target, id) => {
        await api.documents.embed(target, { id }, {})
        const known = documents.get(accountId, baseId, id)
        // The provider accepted it: it is in progress from now on, whatever a list reports a moment later.
        if (known)
          documents.keepAll(
            accountId,
            baseId,
            [{ ...known, state: 'running', failure: null }],
            clock(),
            { whole: false },
          )
      })
    },
  }
}

/** Converts a document of the client to the form of the mirror. */
const listedDocument = ({
  length: tokens,
  wordNum: words,
  ...document
}: Awaited<ReturnType<Api['documents']['get']>>['value']): ListedDocument => ({
  ...document,
  tokens,
  words,
})
