import { defineStore } from 'pinia'
import { ref, shallowRef } from 'vue'
import type { Failure, Reply } from '../../../../../shared/contract/reply.ts'
import type { ReplyOf, RequestOf } from '../../../../../shared/contract/routes.ts'
import type {
  EmbeddingState,
  KnowledgeBase,
  KnowledgeDocument,
  KnowledgeEvent,
  KnowledgeUpload,
  ManyOutcome,
} from '../../../../../shared/model/knowledge.ts'
import { useClient } from '../../../lib/bridge/use-client.ts'
import { mapped, nextOffset, usePagedList, type Page } from '../../../kit/use-paged-list.ts'
import { useShell } from '../../../lib/app-store.ts'

/** The opened knowledge base: shown from the local copy immediately, and refreshed in the background. */
export const useKnowledgeBase = defineStore('knowledgeBase', () => {
  const client = useClient()
  const shell = useShell()
  const base = shallowRef<KnowledgeBase | null>(null)
  const chats = ref(0)
  /** Error if it could not be opened at all. */
  const failure = shallowRef<Failure | null>(null)
  /** Error of the last refresh, while stored data is shown. */
  const stale = shallowRef<Failure | null>(null)
  const refreshing = ref(false)
  const counts = shallowRef({ total: 0, running: 0, failed: 0 })
  const listedAt = ref<number | null>(null)
  /** Whether the documents were loaded once. */
  const ready = ref(false)
  const query = ref('')
  const state = ref<EmbeddingState | ''>('')
  const uploads = shallowRef<readonly KnowledgeUpload[]>([])
  const events = shallowRef<readonly KnowledgeEvent[]>([])
  /** The opened one; an empty ID is none. The same ID can exist in two accounts. */
  let opened: RequestOf<'knowledge.activity'> = { baseId: '' }

  const here = () => ({ ...opened, ...(base.value && { accountId: base.value.accountId }) })
  const list = usePagedList<
    KnowledgeDocument,
    number,
    Page<KnowledgeDocument, number> & Omit<ReplyOf<'knowledge.documents'>, 'documents'>
  >({
    pageSize: 200,
    maxReload: 1000,
    async request({ cursor, limit }) {
      const offset = cursor ?? 0
      const reply = await client.request('knowledge.documents', {
        ...here(),
        query: query.value,
        state: state.value === '' ? null : state.value,
        offset,
        limit,
      })
      return mapped(reply, ({ documents: rows, ...page }) => ({
        ...page,
        rows,
        next: nextOffset(offset, rows, page.total),
      }))
    },
    onPage({ total, running, failed, listedAt: at }) {
      counts.value = { total, running, failed }
      listedAt.value = at
      ready.value = true
    },
  })
  const { rows: documents, load: readDocuments, more } = list
  const readBase = async (): Promise<boolean> => {
    const requested = opened
    const reply = await client.request('knowledge.get', here())
    if (requested !== opened) return false
    failure.value = reply.ok ? null : reply.error
    if (!reply.ok) {
      base.value = null
      return false
    }
    base.value = reply.data.base
    chats.value = reply.data.chats
    return true
  }
  const readRest = async (): Promise<void> => {
    const requested = opened
    const [sent, done] = await Promise.all([
      client.request('knowledge.uploads', here()),
      client.request('knowledge.activity', here()),
    ])
    if (requested !== opened) return
    if (sent.ok) uploads.value = sent.data
    if (done.ok) events.value = done.data
  }
  /** Reloads the local copy. */
  const load = async (): Promise<void> => {
    if (opened.baseId !== '' && (await readBase())) await Promise.all([readDocuments(), readRest()])
  }
  /** Requests fresh data from the provider; stored data is shown meanwhile. */
  const refresh = async (): Promise<void> => {
    if (refreshing.value || opened.baseId === '') return
    const requested = opened
    refreshing.value = true
    const refreshed = await client.request('knowledge.get', { ...here(), fresh: true })
    const listed = refreshed.ok
      ? await client.request('knowledge.refreshDocuments', here())
      : refreshed
    refreshing.value = false
    if (requested !== opened) return
    stale.value = listed.ok ? null : listed.error
    await load()
  }
  /** Opens the one of an account; without an account, main chooses one that has it. */
  const open = async (baseId: string, accountId?: string): Promise<void> => {
    close()
    const requested = { baseId, ...(accountId !== undefined && { accountId }) }
    opened = requested
    if (!(await readBase())) {
      if (requested !== opened) return
      // The provider may have one that was never listed here.
      const refreshed = await client.request('knowledge.get', { ...requested, fresh: true })
      if (requested !== opened || !refreshed.ok || !(await readBase())) return
    }
    await Promise.all([readDocuments(), readRest()])
    if (requested === opened && base.value?.gone === null && !shell.readOnly) await refresh()
  }
  const close = (): void => {
    opened = { baseId: '' }
    base.value = null
    failure.value = null
    stale.value = null
    list.clear()
    counts.value = { total: 0, running: 0, failed: 0 }
    listedAt.value = null
    ready.value = false
    query.value = ''
    state.value = ''
    uploads.value = []
    events.value = []
  }
  /** Searches the stored data, and requests matching names from the provider. */
  const search = async (words: string): Promise<void> => {
    query.value = words
    await readDocuments()
    const searchText = words.trim()
    if (searchText === '' || base.value?.gone !== null) return
    const reply = await client.request('knowledge.refreshDocuments', {
      ...here(),
      word: searchText,
    })
    if (reply.ok && query.value === words) await readDocuments()
  }
  const show = (only: EmbeddingState | ''): Promise<void> => {
    state.value = only
    return readDocuments()
  }

  const then = async <T>(request: Promise<Reply<T>>): Promise<Reply<T>> => {
    const reply = await request
    await load()
    return reply
  }
  const update = (fields: RequestOf<'knowledge.update'>['fields']) =>
    then(client.request('knowledge.update', { ...here(), fields }))
  const remove = () => then(client.request('knowledge.remove', here()))
  const forget = () => client.request('knowledge.forget', here())
  const removeDocuments = (ids: readonly string[]): Promise<Reply<ManyOutcome>> =>
    then(client.request('knowledge.removeDocuments', { ...here(), ids: [...ids] }))
  const embed = (ids: readonly string[] | null): Promise<Reply<ManyOutcome>> =>
    then(client.request('knowledge.embed', { ...here(), ids: ids && [...ids] }))
  const upload = (request: Omit<RequestOf<'knowledge.upload'>, 'accountId' | 'baseId'>) =>
    then(client.request('knowledge.upload', { ...here(), ...request }))
  const retryUploads = (ids: readonly string[] | null) =>
    then(client.request('knowledge.retryUploads', { ...here(), ids: ids && [...ids] }))
  const dropUploads = (ids: readonly string[]) =>
    then(client.request('knowledge.dropUploads', { ...here(), ids: [...ids] }))
  const loadImages = (documentId: string, fresh: boolean) =>
    client.request('knowledge.images', { ...here(), id: documentId, fresh })
  /** Refreshes one document from the provider. */
  const refreshDocument = (documentId: string) =>
    then(client.request('knowledge.document', { ...here(), id: documentId, fresh: true }))

  let planned: ReturnType<typeof setTimeout> | undefined
  client.onEvent((event) => {
    if (event.type !== 'knowledge.changed' || opened.baseId === '') return
    if (event.accountId !== base.value?.accountId) return
    if (event.baseId !== null && event.baseId !== opened.baseId) return
    // A burst of changes causes one reload.
    clearTimeout(planned)
    planned = setTimeout(() => void load(), 60)
  })
  client.onReopen(() => void load())
  return {
    base,
    chats,
    failure,
    stale,
    refreshing,
    documents,
    counts,
    listedAt,
    ready,
    query,
    state,
    uploads,
    events,
    load,
    more,
    refresh,
    open,
    close,
    search,
    show,
    update,
    remove,
    forget,
    removeDocuments,
    embed,
    upload,
    retryUploads,
    dropUploads,
    loadImages,
    refreshDocument,
  }
})
