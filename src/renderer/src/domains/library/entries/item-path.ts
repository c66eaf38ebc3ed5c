import { itemTraits, type ItemKind } from '../../../../../shared/model/library.ts'
import { otherTraits } from '../../../../../shared/model/library-entry.ts'

/** Returns the route of an item by its names in the router: the view, and its part if it has several. */
export function viewOf(kind: ItemKind): { readonly name: string; readonly part: string } {
  const [, name = '', part = ''] = itemTraits[kind].path.split('/')
  return { name, part }
}

/** Returns the route of an item. */
export const itemPath = ({ kind, id }: { readonly kind: ItemKind; readonly id: string }): string =>
  itemTraits[kind].path + id

/** Target of the ID in an address of the retrieval test page. */
type Opened =
  | { readonly kind: 'overview' }
  | { readonly kind: 'run'; readonly id: string }
  | { readonly kind: 'set'; readonly id: string }

const mark = 'run.'

/** Parses the ID of an address: a past question, a test set, or the empty page. */
export function openedBy(id: string): Opened {
  if (id === '') return { kind: 'overview' }
  return id.startsWith(mark) ? { kind: 'run', id: id.slice(mark.length) } : { kind: 'set', id }
}

/** Returns the path of a question. */
export const runPath = (runId: string): string => otherTraits.question.path + runId
/** Returns the path of a test set. */
export const setPath = (setId: string): string => itemTraits.retrieval.path + setId
