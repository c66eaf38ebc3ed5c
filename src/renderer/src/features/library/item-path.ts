import type { ItemKind } from '../../../../shared/model/library.ts'

/** The view that shows items of a kind, by its name in the router. */
export const viewOf = (kind: ItemKind): 'documents' | 'recordings' =>
  kind === 'document' ? 'documents' : 'recordings'

/** Where an item is opened. */
export const itemPath = (item: { readonly kind: ItemKind; readonly id: string }): string =>
  `/${viewOf(item.kind)}/${item.id}`
