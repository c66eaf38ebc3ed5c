import type { EntryKind, LibraryEntry, OtherKind } from '../../../../shared/model/library-entry.ts'
import { itemPath } from './item-path.ts'
import { kindWords } from './kind-words.ts'

/** Keys of the words for each kind of thing the Library shows, in the order filters offer them. */
export const entryWords = {
  ...kindWords,
  run: 'library.kind.run',
  task: 'library.kind.task',
  response: 'library.kind.response',
  slides: 'library.kind.slides',
  ranking: 'library.kind.ranking',
  embedding: 'library.kind.embedding',
  base: 'library.kind.base',
} as const satisfies Record<EntryKind, string>

/** Every kind, in that order. */
export const entryKinds = Object.keys(entryWords) as EntryKind[]

/** Where the things that are no items are opened. */
const places: Record<OtherKind, string> = {
  run: '/bench/runs',
  task: '/bench/tasks',
  response: '/bench/responses',
  slides: '/bench/slides',
  ranking: '/bench/rerank',
  embedding: '/bench/embeddings',
  base: '/knowledge/bases',
}

/** Where a thing that is no item is opened. */
export const otherPath = ({
  kind,
  id,
}: {
  readonly kind: OtherKind
  readonly id: string
}): string => `${places[kind]}/${encodeURIComponent(id)}`

/** Where an entry is opened. */
export const entryPath = ({ kind, id, item }: LibraryEntry): string =>
  item ? itemPath(item) : otherPath({ kind: kind as OtherKind, id })

/** What a row is known by: ids of a service may be the same in two tables. */
export const entryKey = ({ kind, id }: Pick<LibraryEntry, 'kind' | 'id'>): string => `${kind} ${id}`
