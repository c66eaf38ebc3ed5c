import { ref, shallowRef, watch, type Ref } from 'vue'
import type { ReadingPosition } from '../../../../shared/contract/documents.ts'
import type { Block, Box } from '../../../../shared/model/document.ts'
import type { TextPlace } from './blocks/use-text-pane.ts'
import type { LinkTarget } from './pages/page-source.ts'
import { blockAt, fractionAbove, heightAt } from './same-height.ts'

/** Navigation of the pages. */
interface PagesSide {
  goTo(page: number, box?: Box | null, offset?: number): void
  chooseBlock(block: Block | null): void
}

/** Navigation of the text. */
interface TextSide {
  goTo(page: number, blockId?: string | null): void
  alignTo(page: number, blockId: string, fraction: number): void
  chooseBlock(block: Block | null): void
  firstVisible(): TextPlace | null
}

/** The two sides of the document viewer, and its data about blocks. */
interface TwoSides {
  readonly column: Readonly<Ref<PagesSide | null>>
  readonly text: Readonly<Ref<TextSide | null>>
  readonly blocks: (page: number) => readonly Block[]
  readonly keepPlace: (place: ReadingPosition) => void
  readonly openOutside: (url: string) => void
  /** Position of the text while it does not follow the pages; null while it does. */
  readonly apart: TextPlace | null
  readonly keepApart: (place: TextPlace | null) => void
}

/** What is shown beside the pages. */
export type ReaderSide = 'none' | 'thumbnails' | 'outline' | 'highlights'

/** The side shown where there is room for only one. */
export type ShownSide = 'pages' | 'text'

/** Keeps pages and text at the same position: the active side leads, the other one follows while they are locked. */
export function useTwoSides({
  column,
  text,
  blocks,
  keepPlace,
  openOutside,
  apart,
  keepApart,
}: TwoSides) {
  const locked = ref(apart === null)
  const leading = shallowRef<ShownSide>('pages')
  const shown = ref<ShownSide>('pages')
  /** Both sides were sent to a position, so scrolling of the pages must not move the text again. */
  let sent = false
  watch(locked, (isLocked) => keepApart(isLocked ? null : (text.value?.firstVisible() ?? null)))
  if (apart)
    watch(text, (side) => side?.alignTo(apart.page, apart.blockId, apart.fraction), { once: true })

  const onColumnPlace = (place: ReadingPosition): void => {
    keepPlace(place)
    const arrived = sent
    sent = false
    if (arrived || !locked.value || leading.value !== 'pages') return
    const onPage = blocks(place.page)
    const block = blockAt(onPage, place.offset)
    const above = block ? fractionAbove(block, place.offset) : 0
    // Above the first block of a page is the page header.
    if (block && (above > 0 || block !== onPage[0]))
      text.value?.alignTo(block.page, block.id, above)
    else text.value?.goTo(place.page)
  }
  const onTextPlace = (place: TextPlace): void => {
    const { page, blockId, fraction } = place
    if (!locked.value) keepApart(place)
    if (!locked.value || leading.value !== 'text') return
    const block = blocks(page).find(({ id }) => id === blockId)
    column.value?.goTo(page, null, heightAt(block, fraction))
  }
  const chooseFromPages = (block: Block | null): void => {
    text.value?.chooseBlock(block)
    if (block) text.value?.goTo(block.page, block.id)
  }
  /** Goes to a page by number on both sides; the last pages cannot scroll to the top of the column. */
  const goPage = (page: number): void => {
    leading.value = 'pages'
    sent = true
    column.value?.goTo(page)
    text.value?.goTo(page)
  }
  /** Scrolls a block into view and highlights it on both sides. */
  const showBlock = (block: Block): void => {
    sent = true
    column.value?.chooseBlock(block)
    chooseFromPages(block)
  }
  /** Handles Enter on a block: moves to the other side. */
  const jump = (block: Block, to: ShownSide): void => {
    shown.value = to
    if (to === 'text') chooseFromPages(block)
    else column.value?.chooseBlock(block)
  }
  const follow = (target: LinkTarget): void => {
    if (target.kind === 'address') openOutside(target.url)
    else {
      leading.value = 'pages'
      column.value?.goTo(target.page, null, target.top ?? undefined)
    }
  }
  return {
    locked,
    shown,
    lead: (side: ShownSide) => (leading.value = side),
    onColumnPlace,
    onTextPlace,
    chooseFromPages,
    goPage,
    showBlock,
    jump,
    follow,
  }
}
