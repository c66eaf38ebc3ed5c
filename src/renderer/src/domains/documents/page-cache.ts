import type { CurrentPage } from '../../../../shared/contract/documents.ts'
import type { Block } from '../../../../shared/model/document.ts'

/** Cached pages of one document, with their blocks. */
interface PageCache {
  /** Stores pages as the main process has them, and the blocks of exactly those. */
  put(pages: readonly CurrentPage[], blocks: readonly Block[]): void
  /**
   * Updates the states of pages. Returned content is unchanged until it is read again: a page that is parsed again retains
   * its text.
   */
  change(pages: readonly CurrentPage[]): void
  /** Marks everything as stale: it is read again, and shown until then. */
  refresh(): void
  /** Updates an edited block; returns false when its page is not cached. */
  edit(block: Block): boolean
  page(number: number): CurrentPage | null
  /** Returns the blocks in reading order; null for a page whose blocks are not cached. */
  blocks(number: number): readonly Block[] | null
  /**
   * Marks pages `first` to `last` as used and returns the first range of them that is not cached, of at most `most` pages.
   */
  missing(
    first: number,
    last: number,
    maxCount: number,
  ): readonly [first: number, last: number] | null
  clear(): void
}

/**
 * Creates an empty cache. It contains the blocks of at most `capacity` pages; the least recently used ones are removed
 * first.
 */
export function createPageCache(capacity: number): PageCache {
  const pages = new Map<number, CurrentPage>()
  // In the order of their last use.
  const blocks = new Map<number, readonly Block[]>()
  /** Pages whose blocks are shown but must be read again. */
  const stale = new Set<number>()

  const hold = (page: number, held: readonly Block[]): void => {
    blocks.delete(page)
    blocks.set(page, held)
    stale.delete(page)
    const [oldest] = blocks.keys()
    if (blocks.size > capacity && oldest !== undefined) blocks.delete(oldest)
  }
  /** Marks requested pages as used. Layouts read the blocks of all pages, which does not count. */
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
          // Another version becomes the current one of the page once it is returned, unless the user selected one.
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
