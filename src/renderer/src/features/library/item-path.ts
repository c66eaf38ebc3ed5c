import type { ItemKind } from '../../../../shared/model/library.ts'

/** The view that shows items of a kind, by its name in the router. */
export function viewOf(kind: ItemKind): 'documents' | 'recordings' | 'chats' | 'voices' {
  if (kind === 'voice' || kind === 'speech') return 'voices'
  if (kind === 'conversation') return 'chats'
  return kind === 'document' ? 'documents' : 'recordings'
}

/** Parts of the view of voices. */
const voiceParts: Partial<Record<ItemKind, string>> = { voice: 'booth', speech: 'speak' }

/** Where an item is opened. */
export function itemPath({ kind, id }: { readonly kind: ItemKind; readonly id: string }): string {
  const part = voiceParts[kind]
  return part === undefined ? `/${viewOf(kind)}/${id}` : `/voices/${part}/${id}`
}
