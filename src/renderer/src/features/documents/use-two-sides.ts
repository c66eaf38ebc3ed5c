import { ref, shallowRef, type Ref } from 'vue'
import type { ReadingPlace } from '../../../../shared/bridge/documents.ts'
import type { Block } from '../../../../shared/model/document.ts'
import type MarkdownPane from './blocks/MarkdownPane.vue'
import type { TextPlace } from './blocks/use-text-pane.ts'
import type PageColumn from './pages/PageColumn.vue'
import type { LinkTarget } from './pages/page-source.ts'
import { blockAt, fractionAbove, heightAt } from './same-height.ts'

/** The two sides of the reader, and what it knows of blocks. */
export interface TwoSides {
  readonly column: Readonly<Ref<InstanceType<typeof PageColumn> | null>>
  readonly text: Readonly<Ref<InstanceType<typeof MarkdownPane> | null>>
  readonly blocks: (page: number) => readonly Block[]
  readonly keepPlace: (place: ReadingPlace) => void
  readonly openOutside: (url: string) => void
}

/** Which side shows where there is room for one of them only. */
export type ShownSide = 'pages' | 'text'

/** Keeps pages and text at the same place: the side that is worked in leads, the other one follows while they are locked. */
export function useTwoSides({ column, text, blocks, keepPlace, openOutside }: TwoSides) {
  const locked = ref(true)
  const leading = shallowRef<ShownSide>('pages')
  const shown = ref<ShownSide>('pages')

  const onColumnPlace = (place: ReadingPlace): void => {
    keepPlace(place)
    if (!locked.value || leading.value !== 'pages') return
    const block = blockAt(blocks(place.page), place.offset)
    if (block) text.value?.alignTo(block.page, block.id, fractionAbove(block, place.offset))
    else text.value?.goTo(place.page)
  }
  const onTextPlace = ({ page, blockId, fraction }: TextPlace): void => {
    if (!locked.value || leading.value !== 'text') return
    const block = blocks(page).find(({ id }) => id === blockId)
    column.value?.goTo(page, null, heightAt(block, fraction))
  }
  const chooseFromPages = (block: Block | null): void => {
    text.value?.chooseBlock(block)
    if (block) text.value?.goTo(block.page, block.id)
  }
  /** A page that was asked for by its number comes on both sides. */
  const goPage = (page: number): void => {
    leading.value = 'pages'
    column.value?.goTo(page)
    text.value?.goTo(page)
  }
  /** Brings a block into view and lights it on both sides. */
  const showBlock = (block: Block): void => {
    column.value?.chooseBlock(block)
    chooseFromPages(block)
  }
  /** Enter on a block: the other side is where it goes on. */
  const jump = (block: Block, to: ShownSide): void => {
    shown.value = to
    if (to === 'text') chooseFromPages(block)
    else column.value?.chooseBlock(block)
  }
  const follow = (target: LinkTarget): void => {
    if (target.kind === 'address') openOutside(target.url)
    else column.value?.goTo(target.page, null, target.top ?? undefined)
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
