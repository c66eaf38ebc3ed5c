import { watch } from 'vue'
import { useRoute, useRouter, type RouteLocationRaw } from 'vue-router'
import type { ItemKind, ItemSummary } from '../../../../../shared/model/library.ts'
import { itemPath } from '../entries/item-path.ts'

/** Whether the page of items of a kind has an export dialog that its row can open. */
export const hasExportDialog = (kind: ItemKind): boolean =>
  kind === 'meeting' || kind === 'document'

/** The page of an item, with its export dialog open. */
export const exportLocation = (item: Pick<ItemSummary, 'id' | 'kind'>): RouteLocationRaw => ({
  path: itemPath(item),
  query: { export: item.id },
})

/** Opens the export dialog of the shown item, once, if its row asked for it. */
export function useExportRequest(shownId: () => string, open: () => void): void {
  const route = useRoute()
  const router = useRouter()
  watch(
    () => [shownId(), route.query['export']] as const,
    ([id, requested]) => {
      if (id === '' || requested !== id) return
      const { export: _, ...query } = route.query
      void router.replace({ query })
      open()
    },
    { immediate: true },
  )
}
