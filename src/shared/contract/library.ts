import { z } from 'zod'
import type { DocumentItem } from '../model/document.ts'
import {
  folderKinds,
  itemKinds,
  type ItemFolder,
  type ItemSummary,
  type ListFacets,
  type SearchReply,
} from '../model/library.ts'
import {
  entryOrders,
  otherKinds,
  type EntrySearchReply,
  type LibraryEntry,
} from '../model/library-entry.ts'
import { route } from './contract.ts'
import type { Failure } from './reply.ts'

const id = z.string().min(1).max(64)

/** Page of the list, newest first; `next` is the cursor of the following page. */
export interface ItemPage {
  readonly items: readonly ItemSummary[]
  readonly next: string | null
  readonly total: number
}

/** Page of all entries; `next` is the cursor of the following page. */
export interface EntryPage {
  readonly entries: readonly LibraryEntry[]
  readonly next: string | null
}

/** Item created from a file; `known`: the file had one already. */
export type ImportedItem = { readonly itemId: string; readonly known: boolean } & (
  | { readonly kind: 'conversation' }
  | { readonly kind: 'document'; readonly document: DocumentItem }
  /** `error`: why the meeting is not transcribed. */
  | { readonly kind: 'meeting'; readonly error: Failure | null }
)

const at = z.number().int().min(0).max(8_640_000_000_000_000)
const tag = z.string().trim().min(1).max(64)
/** True: only starred ones. */
const starred = z.literal(true).optional()
/** Filters of both the list and the search. */
const narrow = { from: at.optional(), to: at.optional(), tag: tag.optional() }
/** Filters of the lists of a section. */
export const listFilter = {
  starred,
  /** ID of a folder; null: in no folder. */
  folderId: id.nullable().optional(),
  tag: tag.optional(),
}

/** Library routes: items, the Trash, and full-text search. */
export const library = {
  list: route<ItemPage>()(
    z.strictObject({
      kinds: z.array(z.enum(itemKinds)).min(1).max(9).optional(),
      bin: z.boolean().default(false),
      ...listFilter,
      /** Starred items before all others; for lists outside Trash. */
      starredFirst: z.boolean().default(false),
      cursor: z.string().max(200).optional(),
      limit: z.number().int().min(1).max(200).default(100),
    }),
  ),
  /** Lists everything received or created, items and other entries, in one order. */
  entries: route<EntryPage>()(
    z.strictObject({
      kinds: z
        .array(z.enum([...itemKinds, ...otherKinds]))
        .min(1)
        .max(30)
        .optional(),
      ...narrow,
      starred,
      order: z.enum(entryOrders).default('newest'),
      cursor: z.string().max(2000).optional(),
      limit: z.number().int().min(1).max(200).default(100),
    }),
  ),
  /** Returns tags of entries of all kinds, most used first. */
  tags: route<{ readonly tags: readonly { readonly tag: string; readonly items: number }[] }>()(
    z.strictObject({}),
  ),
  /** Stars items, moves them to a folder, and tags them; entries that are not items only have tags. */
  organize: route<Record<string, never>>()(
    z.strictObject({
      ids: z.array(id).max(500).default([]),
      others: z
        .array(z.strictObject({ kind: z.enum(otherKinds), id: z.string().min(1).max(1000) }))
        .max(500)
        .default([]),
      starred: z.boolean().optional(),
      /** A folder of the list of these items; null: none. */
      folderId: id.nullable().optional(),
      addTags: z.array(tag).max(20).default([]),
      removeTags: z.array(tag).max(20).default([]),
    }),
  ),
  /** Returns the folders, stars and tags of the items of a kind. */
  facets: route<ListFacets>()(z.strictObject({ kind: z.enum(folderKinds) })),
  /** Creates a folder, or renames the one with this ID. */
  saveFolder: route<ItemFolder>()(
    z.strictObject({
      id: id.optional(),
      kind: z.enum(folderKinds),
      name: z.string().trim().min(1).max(100),
    }),
  ),
  /** Returns the items that were in the folder, which stay without one. */
  removeFolder: route<{ readonly itemIds: readonly string[] }>()(z.strictObject({ id })),
  /**
   * Creates the item of a stored file: of Lectern's chat JSON a chat, of a PDF or an image a document, of anything else a meeting.
   * A document or meeting that exists is returned. The title applies to new ones of these.
   */
  import: route<ImportedItem>()(
    z.strictObject({ mediaId: id, title: z.string().trim().max(300).optional() }),
  ),
  /** Returns the row of any item. */
  summary: route<ItemSummary>()(z.strictObject({ id })),
  rename: route<ItemSummary>()(z.strictObject({ id, title: z.string().trim().min(1).max(300) })),
  /** Moves items to the Trash; `restore` undoes it. Items are deleted permanently after 30 days. */
  remove: route<Record<string, never>>()(z.strictObject({ ids: z.array(id).min(1).max(500) })),
  restore: route<Record<string, never>>()(z.strictObject({ ids: z.array(id).min(1).max(500) })),
  purge: route<Record<string, never>>()(z.strictObject({ ids: z.array(id).min(1).max(500) })),
  search: route<SearchReply>()(
    z.strictObject({
      query: z.string().max(500),
      kinds: z.array(z.enum(itemKinds)).min(1).max(9).optional(),
      ...narrow,
      starred,
      limit: z.number().int().min(1).max(100).default(30),
    }),
  ),
  /** Searches entries other than items: runs, remote items, rerankings, knowledge bases. */
  searchEntries: route<EntrySearchReply>()(
    z.strictObject({
      query: z.string().max(500),
      kinds: z.array(z.enum(otherKinds)).min(1).max(20).optional(),
      ...narrow,
      limit: z.number().int().min(1).max(100).default(30),
    }),
  ),
}
