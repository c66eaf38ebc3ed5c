import type { ItemKind } from '../../../../../shared/model/library.ts'

/** Returns the view of items of a kind, by its name in the router. */
export function viewOf(
  kind: ItemKind,
): 'documents' | 'recordings' | 'chats' | 'voices' | 'knowledge' {
  if (kind === 'voice' || kind === 'speech') return 'voices'
  if (kind === 'retrieval') return 'knowledge'
  if (kind === 'conversation') return 'chats'
  return kind === 'document' ? 'documents' : 'recordings'
}

/** Parts of the views that have several. */
const parts: Partial<Record<ItemKind, string>> = {
  voice: 'clone',
  speech: 'speak',
  retrieval: 'retrieval',
}

/** Returns the route of an item. */
export function itemPath({ kind, id }: { readonly kind: ItemKind; readonly id: string }): string {
  const part = parts[kind]
  return part === undefined ? `/${viewOf(kind)}/${id}` : `/${viewOf(kind)}/${part}/${id}`
}
