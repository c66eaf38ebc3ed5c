import type { RouteLocationRaw } from 'vue-router'
import {
  otherKinds,
  otherTraits,
  type EntryKind,
  type LibraryEntry,
  type OtherKind,
} from '../../../../../shared/model/library-entry.ts'
import { itemKinds, itemTraits, type ItemSummary } from '../../../../../shared/model/library.ts'
import { itemPath } from './item-path.ts'

/** What the Library knows about each kind of entry, in the order of the filter. */
export const entryTraits = { ...itemTraits, ...otherTraits }

/** All kinds, in that order. */
export const entryKinds: readonly EntryKind[] = [...itemKinds, ...otherKinds]

/**
 * Returns the route of an entry that is not an item: its own, or its position in its parent. The words of a search are marked in the
 * notes and summaries of a meeting.
 */
export function otherPath(
  { kind, id, title, owner }: Pick<LibraryEntry, 'kind' | 'id' | 'title' | 'owner'>,
  words = '',
): RouteLocationRaw {
  const place = entryTraits[owner?.kind ?? kind].path ?? '/library/'
  if (!owner) return place + encodeURIComponent(id)
  const { kind: of, at } = owner
  const path = place + encodeURIComponent(owner.id)
  if (at !== null && of === 'base') return { path, query: { document: at, q: title } }
  if (at !== null && of === 'meeting')
    return { path, query: { ...(kind === 'note' ? { notes: '' } : { summary: at }), words } }
  if (at !== null && of === 'document') return { path, query: { highlight: at } }
  return at !== null && of === 'conversation' ? { path, query: { at } } : path
}

/** Returns the route of an entry. */
export const entryPath = (entry: LibraryEntry): RouteLocationRaw =>
  entry.item ? itemPath(entry.item) : otherPath(entry)

/** When the Library lists entries of a kind. */
export type Listed = (typeof otherTraits)[OtherKind]['listed']

/** Returns when the Library lists entries of a kind. */
export const listedOf = (kind: EntryKind): Listed =>
  isOther(kind) ? otherTraits[kind].listed : 'always'

const isOther = (kind: EntryKind): kind is OtherKind => Object.hasOwn(otherTraits, kind)

/** Whether an entry can be tagged. */
export const isTaggable = ({ kind }: LibraryEntry): boolean =>
  !isOther(kind) || otherTraits[kind].taggable

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
  tags: item.tags,
  owner: null,
  item,
  createdAt: item.createdAt,
})

/**
 * Whether an archive of a selection includes the entry by its ID; others are included with their parent, or with the whole
 * library.
 */
export const isExportable = ({ kind, item }: LibraryEntry): boolean =>
  item !== null || (isOther(kind) && otherTraits[kind].exportable)
