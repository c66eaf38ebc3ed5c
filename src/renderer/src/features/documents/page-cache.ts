import type { CurrentPage } from '../../../../shared/bridge/documents.ts'
import type { Block } from '../../../../shared/model/document.ts'

/** Pages of one document as the window holds them, with their blocks. */
export interface PageCache {
  /** Takes pages as main has them, and the blocks of exactly those. */
  put(pages: readonly CurrentPage[], blocks: readonly Block[]): void
  /** New states of pages. What was returned stays as it is until it is read anew: a page that is parsed again keeps its text. */
  change(pages: readonly CurrentPage[]): void
  /** Everything that is held is read anew, and shown until it is. */
  refresh(): void
  /** One block that was edited; false when its page is not held. */
  edit(block: Block): boolean
  page(number: number): CurrentPage | null
  /** In reading order; null for a page whose blocks are not held. */
  blocks(number: number): readonly Block[] | null
  /** Pages `first` to `last` are looked at: the first stretch of them that is not held, at most `most` long. */
  missing(first: number, last: number, maxCount: number): readonly [first: number, last: number] | null
  clear(): void
}

/** Builds an empty cache. Blocks of at most `capacity` pages are held; those looked at longest ago go first. */
export function createPageCache(capacity: number): PageCache {
  const pages = new Map<number, CurrentPage>()
  // In the order they were last looked at.
  const blocks = new Map<number, readonly Block[]>()
  /** Pages whose blocks are shown, and wanted anew. */
  const stale = new Set<number>()

  const hold = (page: number, held: readonly Block[]): void => {
    blocks.delete(page)
    blocks.set(page, held)
    stale.delete(page)
    const [oldest] = blocks.keys()
    if (blocks.size > capacity && oldest !== undefined) blocks.delete(oldest)
  }
  /** What is asked for is looked at. Whoever lays out all pages reads the blocks of all of them: that says nothing. */
  const touch = (first: number, last: number): void => {
    for (let page = first; page <= last; page++) {
      const held = blocks.get(page)
      if (!held) continue
      blocks.delete(page)
      blocks.set(page, held)
    }
  }
  return {
    put(next, found) {
      const byPage = Map.groupBy(found, ({ page }) => page)
      for (const one of next) {
        pages.set(one.page, one)
        const own = byPage.get(one.page) ?? []
        hold(
          one.page,
          own.toSorted((a, b) => a.order - b.order),
        )
      }
    },
    change(next) {
      for (const one of next) {
        const before = pages.get(one.page)
        const other = before?.versionId !== one.versionId
        if (before?.state === 'returned') {
          // Another version stands for the page once it has it, or does not, where somebody chose.
          if (one.state === 'returned' && (other || before.blocks !== one.blocks))
            stale.add(one.page)
          continue
        }
        pages.set(one.page, one)
        if (other || before.state !== one.state) blocks.delete(one.page)
      }
    },
    refresh() {
      for (const page of blocks.keys()) stale.add(page)
    },
    edit(block) {
      const held = blocks.get(block.page)
      if (!held) return false
      blocks.set(
        block.page,
        held.map((one) => (one.id === block.id ? block : one)),
      )
      return true
    },
    page: (number) => pages.get(number) ?? null,
    blocks: (number) => blocks.get(number) ?? null,
    missing(first, last, maxCount) {
      touch(first, last)
      const isHeld = (page: number): boolean => blocks.has(page) && !stale.has(page)
      let from = first
      while (from <= last && isHeld(from)) from++
      if (from > last) return null
      let to = from
      while (to < last && to - from + 1 < maxCount && !isHeld(to + 1)) to++
      return [from, to]
    },
    clear() {
      pages.clear()
      blocks.clear()
      stale.clear()
    },
  }
}
