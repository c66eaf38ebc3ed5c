import type { ItemKind } from '../../../../shared/model/library.ts'

/** The view that shows items of a kind, by its name in the router. */
export function viewOf(kind: ItemKind): 'documents' | 'recordings' | 'chats' {
  if (kind === 'conversation') return 'chats'
  return kind === 'document' ? 'documents' : 'recordings'
}

/** Where an item is opened. */
export const itemPath = (item: { readonly kind: ItemKind; readonly id: string }): string =>
  `/${viewOf(item.kind)}/${item.id}`
