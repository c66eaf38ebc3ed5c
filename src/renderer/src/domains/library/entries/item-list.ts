import { computed, shallowRef } from 'vue'
import type { ItemKind, ItemSummary } from '../../../../../shared/model/library.ts'
import type { Conversation } from '../../../../../shared/model/chat.ts'
import type { DocumentNews } from '../../../../../shared/model/document.ts'
import type { Meeting } from '../../../../../shared/model/meeting.ts'
import type { RequestOf } from '../../../../../shared/contract/routes.ts'
import type { Client } from '../../../lib/bridge/client.ts'
import { mapped, usePagedList, type Page } from '../../../kit/use-paged-list.ts'
import { briefOf } from './brief-state.ts'

/** Maximum number of changed items that are loaded one by one instead of as a page. */
const fewItems = 12

/** Filter of a list of a section; empty for all items. */
export type ListQuery = Pick<RequestOf<'library.list'>, 'starred' | 'folderId' | 'tag'>

/** Whether an item belongs in a list with this filter. */
export const fitsQuery = (
  item: Pick<ItemSummary, 'starred' | 'folderId' | 'tags'>,
  { starred, folderId, tag }: ListQuery,
): boolean =>
  (starred === undefined || item.starred) &&
  (folderId === undefined || item.folderId === folderId) &&
  (tag === undefined || item.tags.includes(tag))

/**
 * Creates a list on `library.list`, newest first: stored items, or those in Trash; optionally of some kinds only. A list of a
 * section has a filter, and starred items first.
 */
export function createItemList(
  client: Client,
  {
    bin,
    kinds,
    query,
  }: {
    readonly bin: boolean
    readonly kinds?: readonly ItemKind[]
    readonly query?: () => ListQuery
  },
) {
  const total = shallowRef(0)
  /** Documents whose password was entered: they are stored as locked. */
  const opened = new Set<string>()
  const seen = (item: ItemSummary): ItemSummary =>
    item.document?.locked === true && opened.has(item.id)
      ? { ...item, document: { ...item.document, locked: false } }
      : item
  const fits = (item: ItemSummary): boolean =>
    (!kinds || kinds.includes(item.kind)) && (!query || fitsQuery(item, query()))

  const list = usePagedList<ItemSummary, string, Page<ItemSummary, string> & { total: number }>({
    pageSize: 100,
    maxReload: 200,
    request: async ({ cursor, limit }) =>
      mapped(
        await client.request('library.list', {
          bin,
          limit,
          ...(kinds && { kinds: [...kinds] }),
          ...(query && { ...query(), starredFirst: true }),
          ...(cursor !== null && { cursor }),
        }),
        (page) => ({ rows: page.items.map(seen), next: page.next, total: page.total }),
      ),
    onPage: (page) => (total.value = page.total),
  })
  const { rows: items, state, failure, load, more } = list

  /** Removes items immediately, before main has replied. */
  const drop = (ids: readonly string[]): void => {
    const before = items.value.length
    list.drop(ids)
    total.value -= before - items.value.length
  }

  const put = (item: ItemSummary): void => {
    const others = items.value.filter(({ id }) => id !== item.id)
    if (others.length === items.value.length) total.value += 1
    const at = others.findIndex((other) => isBefore(item, other))
    // Older than everything loaded: it arrives with its own page.
    if (at === -1 && list.next.value !== null) items.value = others
    else items.value = others.toSpliced(at === -1 ? others.length : at, 0, seen(item))
  }
  const order = (item: ItemSummary): number => (bin ? (item.deletedAt ?? 0) : item.createdAt)
  const isBefore = (one: ItemSummary, other: ItemSummary): boolean =>
    query && one.starred !== other.starred ? one.starred : order(one) > order(other)

  /** Updates these items after a change; an empty list means that any may have changed. */
  const changed = async (ids: readonly string[]): Promise<void> => {
    if (state.value === 'idle') return
    if (ids.length === 0 || ids.length > fewItems || state.value === 'failed') return load()
    for (const id of ids) {
      const reply = await client.request('library.summary', { id })
      if (reply.ok && fits(reply.data) && (reply.data.deletedAt !== null) === bin) put(reply.data)
      else if (reply.ok || reply.error.code === 'NOT_FOUND') drop([id])
    }
  }

  const meetingChanged = (meeting: Meeting): void => {
    const index = items.value.findIndex(({ id }) => id === meeting.id)
    const item = items.value[index]
    if (!item) return
    const { title, durationMs } = meeting
    const row = { ...item, title, duration: durationMs / 1000, meeting: briefOf(meeting) }
    items.value = items.value.with(index, row)
    // Its first words: the row is loaded again once it can show them.
    if (item.excerpt === '' && meeting.completeness.transcribedMs > 0) void changed([meeting.id])
  }
  const documentChanged = (document: DocumentNews): void => {
    if (document.unlocked) opened.add(document.id)
    const index = items.value.findIndex(({ id }) => id === document.id)
    const item = items.value[index]
    if (!item?.document) return
    const [newest] = document.versions
    const brief = {
      ...item.document,
      locked: item.document.locked && !document.unlocked,
      state: newest?.state ?? null,
      counts: newest?.counts ?? null,
    }
    items.value = items.value.with(index, { ...item, title: document.title, document: brief })
    // Its first words: the row is loaded again once it can show them.
    if (item.excerpt === '' && (newest?.counts.returned ?? 0) > 0) void changed([document.id])
  }
  const chatChanged = (chat: Conversation): void => {
    const index = items.value.findIndex(({ id }) => id === chat.id)
    const item = items.value[index]
    if (!item) return
    const { title, excerpt } = chat
    items.value = items.value.with(index, { ...item, title, excerpt, conversation: chat })
  }
  return {
    items,
    total,
    state,
    failure,
    load,
    more,
    whole: computed(() => list.next.value === null),
    changed,
    meetingChanged,
    documentChanged,
    chatChanged,
    drop,
  }
}
