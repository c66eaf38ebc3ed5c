/** What the id in an address of the retrieval bench opens. */
export type Opened =
  | { readonly kind: 'overview' }
  | { readonly kind: 'run'; readonly id: string }
  | { readonly kind: 'set'; readonly id: string }

const mark = 'run.'

/** Reads the id of an address: a question that was asked, a test set, or the empty bench. */
export function openedBy(id: string): Opened {
  if (id === '') return { kind: 'overview' }
  return id.startsWith(mark) ? { kind: 'run', id: id.slice(mark.length) } : { kind: 'set', id }
}

/** Where a question of the bench is looked at. */
export const runPath = (runId: string): string => `/knowledge/retrieval/${mark}${runId}`
/** Where a test set is. */
export const setPath = (setId: string): string => `/knowledge/retrieval/${setId}`
