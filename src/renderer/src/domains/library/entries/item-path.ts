import { itemTraits, type ItemKind } from '../../../../../shared/model/library.ts'

/** Returns the route of an item by its names in the router: the view, and its part if it has several. */
export function viewOf(kind: ItemKind): { readonly name: string; readonly part: string } {
  const [, name = '', part = ''] = itemTraits[kind].path.split('/')
  return { name, part }
}

/** Returns the route of an item. */
export const itemPath = ({ kind, id }: { readonly kind: ItemKind; readonly id: string }): string =>
  itemTraits[kind].path + id
