import { defineStore } from 'pinia'
import { computed, ref, shallowRef } from 'vue'
import type { ReadingPosition, CurrentPage } from '../../../../shared/contract/documents.ts'
import type { Failure, Reply } from '../../../../shared/contract/reply.ts'
import type { RequestOf } from '../../../../shared/contract/routes.ts'
import type {
  Block,
  DocumentItem,
  DocumentVersion,
  ParsePlan,
} from '../../../../shared/model/document.ts'
import { createLatest } from '../../kit/use-latest.ts'
import { useClient } from '../../lib/bridge/use-client.ts'
import type { TextPlace } from './blocks/use-text-pane.ts'
import { createPageCache } from './page-cache.ts'

/** Number of pages requested at a time. */
const pagesAtOnce = 20
/** Number of pages whose blocks are cached: some screens in each direction, and the last viewed ones. */
const heldPages = 120

/** The open document: its properties, the progress of its parsing, and the blocks of the pages in view. */
export const useDocument = defineStore('document', () => {
  const client = useClient()
  const id = ref<string | null>(null)
  const document = shallowRef<DocumentItem | null>(null)
  const place = shallowRef<ReadingPosition | null>(null)
  const preview = shallowRef<string | null>(null)
  /**
   * Password of the open document, once entered here: the page draws from the file itself. Lost with the page.
   */
  const password = ref<string | null>(null)
  const failure = shallowRef<Failure | null>(null)
  const actionFailure = shallowRef<Failure | null>(null)
  /** Counter of changes in the cache, on which rendering depends. */
  const changes = ref(0)
  /** Version that is shown alone instead of the current ones. */
  const only = ref<string | null>(null)
  const cache = createPageCache(heldPages)
  /** Saved images by their URLs in the open document's responses. */
  const imageIds = new Map<string, string>()
  /** Each side has its own visible pages. */
  const wanted = new Map<'pages' | 'text', readonly [first: number, last: number]>()
  let loading = false
  const requests = createLatest()
  /** Cancelled on changes: a read that was started before is repeated. */
  const content = createLatest()
  /** Updates of pages that were received while these were being read. */
  let late: CurrentPage[] = []

  const version = computed<DocumentVersion | null>(() => document.value?.versions[0] ?? null)
  const pages = computed(() => document.value?.facts?.pages ?? 0)

  const close = (): void => {
    requests.cancel()
    id.value = null
    document.value = null
    place.value = null
    preview.value = null
    password.value = null
    failure.value = null
    actionFailure.value = null
    only.value = null
    cache.clear()
    wanted.clear()
    imageIds.clear()
    changes.value++
  }
  const open = async (documentId: string): Promise<void> => {
    if (id.value === documentId) return
    close()
    id.value = documentId
    await load()
  }
  const load = async (): Promise<void> => {
    const requestedId = id.value
    if (requestedId === null) return
    const isLatest = requests.start()
    const reply = await client.request('documents.get', { id: requestedId })
    if (!isLatest()) return
    failure.value = reply.ok ? null : reply.error
    if (!reply.ok) {
      if (reply.error.code === 'NOT_FOUND') document.value = null
      return
    }
    document.value = reply.data.document
    place.value = reply.data.place
    preview.value = reply.data.preview
    await read()
  }
  /** Requests the pages in view and around it: those that are not cached are read. */
  const need = (first: number, last: number, by: 'pages' | 'text' = 'pages'): void => {
    wanted.set(by, [Math.max(1, first), Math.min(Math.max(1, pages.value), last)])
    void read()
  }
  const missing = (): readonly [first: number, last: number] | null => {
    if (pages.value === 0) return null
    for (const span of wanted.values()) {
      const found = cache.missing(...span, pagesAtOnce)
      if (found) return found
    }
    return null
  }
  const read = async (): Promise<void> => {
    if (loading) return
    loading = true
    try {
      for (;;) {
        const of = id.value
        const isLatest = requests.current()
        const isCurrent = content.current()
        late = []
        const span = missing()
        if (of === null || !span) return
        const reply = await client.request('documents.pages', {
          id: of,
          first: span[0],
          last: span[1],
          ...(only.value !== null && { versionId: only.value }),
        })
        if (!isLatest() || !isCurrent()) continue
        if (!reply.ok) {
          failure.value = reply.error
          return
        }
        failure.value = null
        cache.put(wholeSpan(reply.data.pages, ...span), reply.data.blocks)
        cache.change(late)
        rememberImageIds(reply.data.images)
        changes.value++
      }
    } finally {
      loading = false
    }
  }
  const rememberImageIds = (named: Readonly<Record<string, string>> = {}): void => {
    for (const [address, mediaId] of Object.entries(named)) imageIds.set(address, mediaId)
  }
  /** Requests the images of a page again: they are fetched some time after its response. */
  const readImages = async (number: number): Promise<void> => {
    const of = id.value
    if (of === null) return
    const reply = await client.request('documents.pages', {
      id: of,
      first: number,
      last: number,
      ...(only.value !== null && { versionId: only.value }),
    })
    if (!reply.ok || of !== id.value) return
    rememberImageIds(reply.data.images)
    changes.value++
  }
  /** Fetches an image of a response on the user's request; returns null, or the error. */
  const loadImage = async (address: string): Promise<Failure | null> => {
    const of = here()
    const reply = await client.request('documents.loadImage', { id: of, address })
    if (!reply.ok) return reply.error
    if (of === id.value) {
      imageIds.set(address, reply.data.mediaId)
      changes.value++
    }
    return null
  }
  /** Reads the shown content again, after the current versions have changed. */
  const refresh = (): void => {
    content.cancel()
    cache.refresh()
    void read()
  }
  /** Shows a single version, or the current ones (null). */
  const showOnly = (versionId: string | null): void => {
    only.value = versionId
    content.cancel()
    cache.clear()
    changes.value++
    void read()
  }

  client.onEvent((event) => {
    if (event.type === 'document.changed' && event.document.id === id.value) {
      const before = document.value
      if (before) document.value = { ...before, ...event.document }
      // Its file was inspected in the meantime: the event does not contain constant properties.
      if (before?.facts === null || before?.unlocked !== event.document.unlocked) void load()
    }
    if (event.type === 'document.pages' && event.id === id.value) {
      if (only.value !== null && only.value !== event.versionId) return
      const changedPages = event.pages.map((page) => ({ ...page, versionId: event.versionId }))
      cache.change(changedPages)
      if (loading) late.push(...changedPages)
      changes.value++
      void read()
    }
    if (event.type === 'library.changed' && id.value !== null && event.itemIds.length === 0)
      void load()
  })
  client.onReopen(() => {
    if (id.value === null) return
    cache.clear()
    void load()
  })

  const here = (): string => id.value ?? ''
  const settle = <T>(reply: Reply<T>): T | null => {
    actionFailure.value = reply.ok ? null : reply.error
    return reply.ok ? reply.data : null
  }
  const unlock = async (given: string): Promise<Failure | null> => {
    const reply = await client.request('documents.unlock', { id: here(), password: given })
    if (!reply.ok) return reply.error
    if (reply.data.document.id === id.value) {
      password.value = given
      document.value = reply.data.document
    }
    return null
  }
  const plan = async (
    request: Omit<RequestOf<'documents.plan'>, 'id'>,
  ): Promise<Reply<{ readonly plan: ParsePlan; readonly reusedPages: number }>> =>
    client.request('documents.plan', { id: here(), ...request })
  /** Starts a version; returns null, or the error for the form that requested it. */
  const parse = async (
    request: Omit<RequestOf<'documents.parse'>, 'id'>,
    of: string = here(),
  ): Promise<Failure | null> => {
    const reply = await client.request('documents.parse', { id: of, ...request })
    return reply.ok ? null : reply.error
  }
  const cancel = async (versionId: string): Promise<boolean> =>
    settle(await client.request('documents.cancel', { versionId })) !== null
  const retry = async (versionId: string, failed?: readonly number[]): Promise<boolean> =>
    settle(
      await client.request('documents.retry', { versionId, ...(failed && { pages: [...failed] }) }),
    ) !== null
  const edit = async (blockId: string, text: string | null): Promise<Block | null> => {
    const reply = settle(await client.request('documents.edit', { id: here(), blockId, text }))
    if (reply && cache.edit(reply.block)) changes.value++
    return reply?.block ?? null
  }
  /**
   * Selects the current version for pages of a document, also of one that was opened before; null is the newest.
   */
  const choose = async (
    chosen: readonly number[],
    versionId: string | null,
    of: string = here(),
  ): Promise<boolean> => {
    const done = await client.request('documents.choose', { id: of, pages: [...chosen], versionId })
    if (of !== id.value) return done.ok
    if (!settle(done)) return false
    refresh()
    return true
  }
  const rename = async (title: string): Promise<void> => {
    const before = document.value
    const next = title.trim()
    if (!before || next === '' || next === before.title) return
    document.value = { ...before, title: next }
    const reply = await client.request('library.rename', { id: before.id, title: next })
    const now = document.value
    if (reply.ok || now?.id !== before.id) return
    actionFailure.value = reply.error
    // Preserves changes received in the meantime.
    document.value = { ...now, title: before.title }
  }
  const keepPlace = (next: ReadingPosition): void => {
    if (id.value !== null) void client.request('documents.place', { id: id.value, place: next })
  }
  /** Positions of texts that did not follow their pages, by document. */
  const aparts = new Map<string, TextPlace>()
  const keepApart = (next: TextPlace | null): void => {
    if (id.value === null) return
    if (next) aparts.set(id.value, next)
    else aparts.delete(id.value)
  }
  return {
    id,
    document,
    version,
    pages,
    place,
    preview,
    password,
    failure,
    actionFailure,
    changes,
    only,
    page: (number: number) => cache.page(number),
    blocks: (number: number) => cache.blocks(number),
    mediaIdOf: (address: string) => imageIds.get(address) ?? null,
    open,
    close,
    load,
    need,
    refresh,
    readImages,
    loadImage,
    showOnly,
    unlock,
    plan,
    parse,
    cancel,
    retry,
    edit,
    choose,
    rename,
    keepPlace,
    apart: (): TextPlace | null => aparts.get(id.value ?? '') ?? null,
    keepApart,
  }
})

/**
 * Returns all pages of a range: those that a version never had are reported as such, or they would be requested again
 * and again.
 */
function wholeSpan(
  pages: readonly CurrentPage[],
  first: number,
  last: number,
): readonly CurrentPage[] {
  const byPage = new Map(pages.map((one) => [one.page, one]))
  return Array.from({ length: last - first + 1 }, (_, at) => {
    const page = first + at
    const without = { page, state: 'waiting', blocks: 0, raster: null, error: null } as const
    return byPage.get(page) ?? { ...without, versionId: null }
  })
}
