import type { ItemSummary } from '../../../../../shared/model/library.ts'
import type {
  EntryKind,
  LibraryEntry,
  OtherKind,
} from '../../../../../shared/model/library-entry.ts'
import type { RouteLocationRaw } from 'vue-router'
import { runPath } from './retrieval-address.ts'
import { itemPath } from './item-path.ts'
import { kindLabels } from './kind-labels.ts'

/** Message keys of each kind of Library entry, in the order of the filter. */
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

/** All kinds, in that order. */
export const entryKinds = Object.keys(entryLabels) as EntryKind[]

/** Routes of standalone entries. */
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

/** Returns the route of an entry that is not an item: its own, or its position in its parent. */
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

/** Returns the route of an entry. */
export const entryPath = (entry: LibraryEntry): RouteLocationRaw =>
  entry.item ? itemPath(entry.item) : otherPath(entry)

/** Whether an entry is standalone: it can be tagged, and exported to an archive by its ID. */
export const isTaggable = ({ kind }: LibraryEntry): boolean => kind !== 'picture' && kind !== 'file'

/** Returns the unique key of a row: provider IDs may be equal in two tables, and a file in two tasks. */
export const entryKey = ({
  kind,
  id,
  owner,
}: Pick<LibraryEntry, 'kind' | 'id' | 'owner'>): string =>
  [kind, id, owner?.id, owner?.at].filter((part) => part !== undefined && part !== null).join(' ')

/** Returns an item as an entry of the Library. */
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

/**
 * Whether an archive of a selection includes the entry by its ID; others are included with their parent, or with the whole
 * library.
 */
export const isExportable = ({ kind, item }: LibraryEntry): boolean =>
  item !== null || ['run', 'task', 'response', 'slides', 'ranking', 'embedding'].includes(kind)
