import { onBeforeUnmount, shallowReactive } from 'vue'
import type { PageLink, PageSource, Turn } from './page-source.ts'

/** Layers over a drawn page: its selectable text and its links. Only pages in view have them. */
export function usePageExtras(source: () => PageSource | null, turn: () => Turn) {
  const links = shallowReactive(new Map<number, readonly PageLink[]>())
  const layers = new Map<number, HTMLElement>()
  const texts = new Map<number, { readonly turn: Turn; readonly stop: AbortController }>()
  /** Pages whose links were requested: once for each page and document. */
  let requested = new Set<number>()

  async function lay(page: number): Promise<void> {
    const from = source()
    const element = layers.get(page)
    const facing = turn()
    if (!from?.text || !element || texts.get(page)?.turn === facing) return
    drop(page)
    const stop = new AbortController()
    texts.set(page, { turn: facing, stop })
    try {
      await from.text(page, facing, element, stop.signal)
      if (!stop.signal.aborted) element.append(endMark())
    } catch {
      // A page is still readable without its text layer.
    }
  }
  async function ask(page: number): Promise<void> {
    const from = source()
    if (!from?.links || requested.has(page)) return
    requested.add(page)
    const found = await from.links(page).catch(() => [])
    if (found.length > 0 && from === source()) links.set(page, found)
  }
  function drop(page: number): void {
    texts.get(page)?.stop.abort()
    texts.delete(page)
    layers.get(page)?.replaceChildren()
  }
  function clear(): void {
    for (const page of texts.keys()) drop(page)
    links.clear()
    requested = new Set()
  }
  onBeforeUnmount(clear)

  return {
    links,
    /** Adds text and links to a page that is in view and drawn. */
    add(page: number): void {
      void lay(page)
      void ask(page)
    },
    layer(page: number, element: HTMLElement | null): void {
      if (element) layers.set(page, element)
      else {
        drop(page)
        layers.delete(page)
      }
    },
    clear,
  }
}

/**
 * Creates an element that fills the rest of the page during a selection, which would otherwise jump to its start over
 * empty areas.
 */
function endMark(): HTMLElement {
  const end = document.createElement('div')
  end.className = 'end'
  return end
}
