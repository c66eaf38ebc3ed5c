import { shallowRef } from 'vue'
import type { ItemSummary } from '../../../../../shared/model/library.ts'
import { mayHaveFile } from './use-item-file.ts'

/**
 * Context menu of a row whose item may have a file: opened by the right mouse button, or the menu key on the row's link.
 */
export function useFileMenu() {
  const menu = shallowRef<{ readonly item: ItemSummary; readonly anchor: HTMLElement } | null>(null)
  function open(item: ItemSummary | null, event: MouseEvent): void {
    if (item === null || !mayHaveFile(item.kind) || !(event.currentTarget instanceof Element))
      return
    const anchor = event.currentTarget.querySelector<HTMLElement>('[data-item]')
    if (anchor === null) return
    event.preventDefault()
    menu.value = { item, anchor }
  }
  return { menu, open, close: () => void (menu.value = null) }
}
