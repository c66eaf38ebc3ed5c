import type { ItemKind } from '../../../../shared/model/library.ts'

/** The view that shows items of a kind, by its name in the router. */
export function viewOf(kind: ItemKind): 'documents' | 'recordings' | 'chats' | 'voices' {
  if (kind === 'voice') return 'voices'
  if (kind === 'conversation') return 'chats'
  return kind === 'document' ? 'documents' : 'recordings'
}

/** Where an item is opened. */
export const itemPath = (item: { readonly kind: ItemKind; readonly id: string }): string =>
  item.kind === 'voice' ? `/voices/booth/${item.id}` : `/${viewOf(item.kind)}/${item.id}`
