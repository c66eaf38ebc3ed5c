import { shallowRef } from 'vue'
import type { PageNote } from '../blocks/page-note.ts'
import { useDocument } from '../documents-store.ts'
import { editedIn, isChosen, isWaited, currentFor } from './coverage.ts'
import { useVersions } from './document-versions-store.ts'

/** Notes in the page headers, and the menu of one page. */
export function usePageNotes() {
  const document = useDocument()
  const versions = useVersions()
  const menu = shallowRef<{ readonly page: number; readonly anchor: HTMLElement } | null>(null)

  /** Returns the version in which a page is shown. */
  const shownIn = (page: number): string | null => {
    const current = currentFor(versions.coverage, page)
    if (document.only === null) return current
    return document.page(page)?.state === 'returned' ? document.only : null
  }
  const noteOf = (page: number): PageNote => {
    const shown = shownIn(page)
    // Read for reactivity: the number of changes indicates new block data.
    void document.changes
    return {
      version: versions.several ? versions.numberOf(shown) : null,
      chosen: document.only === null && isChosen(versions.coverage, page),
      waiting: shown !== null && isWaited(versions.coverage, page),
      edited: versions.numberOf(editedIn(versions.coverage, page, shown)),
      own: document.blocks(page)?.some(({ edited }) => edited !== null) ?? false,
      replied: shown !== null,
    }
  }
  const openMenu = (page: number, anchor: EventTarget | null): void => {
    if (anchor instanceof HTMLElement) menu.value = { page, anchor }
  }
  const showReturned = (page: number): void => {
    const versionId = shownIn(page)
    if (versionId !== null) versions.returned = { page, versionId }
  }
  return { menu, openMenu, noteOf, showReturned }
}
