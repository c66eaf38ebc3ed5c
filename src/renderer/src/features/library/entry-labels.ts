import type { ItemSummary } from '../../../../shared/model/library.ts'
import type { EntryKind, LibraryEntry, OtherKind } from '../../../../shared/model/library-entry.ts'
import type { RouteLocationRaw } from 'vue-router'
import { runPath } from '../retrieval/address.ts'
import { itemPath } from './item-path.ts'
import { kindLabels } from './kind-labels.ts'

/** Keys of the words for each kind of thing the Library shows, in the order filters offer them. */
export const entryLabels = {
  ...kindLabels,
  run: 'library.kind.run',
  task: 'library.kind.task',
  response: 'library.kind.response',
  slides: 'library.kind.slides',
  ranking: 'library.kind.ranking',
  embedding: 'library.kind.embedding',
  base: 'library.kind.base',
  source: 'library.kind.source',
  upload: 'library.kind.upload',
  question: 'library.kind.question',
  slices: 'library.kind.slices',
  listed: 'library.kind.listed',
  picture: 'library.kind.picture',
  file: 'library.kind.file',
} as const satisfies Record<EntryKind, string>

/** Every kind, in that order. */
export const entryKinds = Object.keys(entryLabels) as EntryKind[]

/** Where things that stand for themselves are opened. */
const places: Partial<Record<OtherKind, string>> = {
  run: '/playground/runs/',
  task: '/playground/tasks/',
  response: '/playground/responses/',
  slides: '/playground/slides/',
  ranking: '/playground/rerank/',
  embedding: '/playground/embeddings/',
  base: '/knowledge/bases/',
  question: runPath(''),
  slices: '/knowledge/slices/',
  listed: '/voices/library/',
}

/** Where a thing that is no item is opened: itself, or its place in what it belongs to. */
export function otherPath({
  kind,
  id,
  title,
  owner,
}: Pick<LibraryEntry, 'kind' | 'id' | 'title' | 'owner'>): RouteLocationRaw {
  if (!owner) return `${places[kind as OtherKind] ?? '/library/'}${encodeURIComponent(id)}`
  const { kind: of, at } = owner
  const place = of === 'conversation' ? '/chats/' : (places[of] ?? '/library/')
  const path = `${place}${encodeURIComponent(owner.id)}`
  if (at !== null && of === 'base') return { path, query: { document: at, q: title } }
  return at !== null && of === 'conversation' ? { path, query: { at } } : path
}

/** Where an entry is opened. */
export const entryPath = (entry: LibraryEntry): RouteLocationRaw =>
  entry.item ? itemPath(entry.item) : otherPath(entry)

/** Things that stand for themselves: they can be tagged, and go into an archive by their id. */
export const isTaggable = ({ kind }: LibraryEntry): boolean => kind !== 'picture' && kind !== 'file'

/** What a row is known by: ids of a service may be the same in two tables, and a file in two tasks. */
export const entryKey = ({
  kind,
  id,
  owner,
}: Pick<LibraryEntry, 'kind' | 'id' | 'owner'>): string =>
  [kind, id, owner?.id, owner?.at].filter((part) => part !== undefined && part !== null).join(' ')

/** An item as a row of the Library. */
export const entryOf = (item: ItemSummary): LibraryEntry => ({
  id: item.id,
  kind: item.kind,
  title: item.title,
  account: '',
  state: null,
  tags: [],
  owner: null,
  item,
  createdAt: item.createdAt,
})

/** What an archive of a selection is asked for by its id; the rest comes with what it belongs to, or with the whole library. */
export const isExportable = ({ kind, item }: LibraryEntry): boolean =>
  item !== null || ['run', 'task', 'response', 'slides', 'ranking', 'embedding'].includes(kind)
