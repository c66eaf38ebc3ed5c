import { shallowRef, watch } from 'vue'
import type { Block } from '../../../../../shared/model/document.ts'
import { requestedImage } from '../../../lib/markdown/images.ts'
import { linkOf } from '../../../lib/markdown/links.ts'
import { nextBlock } from '../pages/reading-order.ts'

/** Options of the block event handling. */
interface BlockEventOptions {
  readonly blocks: (page: number) => readonly Block[] | null
  readonly pages: () => number
  /** Returns the page at the upper edge. */
  readonly current: () => number
  readonly hover: (block: Block | null) => void
  readonly choose: (block: Block | null) => void
  readonly jump: (block: Block) => void
  readonly copy: (block: Block) => void
  /** Highlights the selected text, or the block. */
  readonly highlight: (block: Block | null) => void
  readonly source: (block: Block) => void
  readonly edit: (block: Block) => void
  readonly link: (url: string) => void
  readonly load: (image: NonNullable<ReturnType<typeof requestedImage>>) => void
  /** Scrolls to a selected block. */
  readonly reveal: (block: Block) => void
}

/**
 * Pointer and keyboard handling of the text: the targeted block, navigation in reading order, Enter, c, requested links.
 */
export function useBlockEvents(options: BlockEventOptions) {
  const hovered = shallowRef<Block | null>(null)
  const chosen = shallowRef<Block | null>(null)
  const blocksOf = (page: number): readonly Block[] => options.blocks(page) ?? []

  const blockOf = (event: Event): Block | null => {
    const row = event.target instanceof Element ? event.target.closest('[data-b]') : null
    if (!(row instanceof HTMLElement)) return null
    const page = blocksOf(Number(row.dataset['page']))
    return page.find(({ id }) => id === row.dataset['b']) ?? null
  }
  const setChosen = (block: Block | null): void => {
    chosen.value = block
    options.choose(block)
  }
  watch(hovered, (now, before) => {
    if (now?.id !== before?.id) options.hover(now)
  })

  const onLink = (event: Event): boolean => {
    const url = linkOf(event)
    if (url === null) return false
    event.preventDefault()
    options.link(url)
    return true
  }
  const onClick = (event: MouseEvent): void => {
    if (onLink(event)) return
    const image = requestedImage(event)
    if (image) return options.load(image)
    if (event.target instanceof Element && event.target.closest('button, textarea')) return
    // A drag selects words, not the block.
    if (window.getSelection()?.isCollapsed === false) return
    const block = blockOf(event)
    if (block) setChosen(block)
  }
  const walk = (direction: 1 | -1): boolean => {
    const next = nextBlock(blocksOf, options.pages(), chosen.value, options.current(), direction)
    if (!next) return false
    setChosen(next)
    options.reveal(next)
    return true
  }
  const withChosen = (act: (block: Block) => void): boolean => {
    if (chosen.value) act(chosen.value)
    return chosen.value !== null
  }
  const acts: Readonly<Record<string, () => boolean>> = {
    ArrowDown: () => walk(1),
    ArrowUp: () => walk(-1),
    Enter: () => withChosen(options.jump),
    c: () => withChosen(options.copy),
    h: () => {
      options.highlight(chosen.value)
      return true
    },
    s: () => withChosen(options.source),
    e: () => withChosen(options.edit),
    Escape: () => withChosen(() => setChosen(null)),
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (event.key === 'Enter' && onLink(event)) return
    if (event.target !== event.currentTarget) return
    const act = Object.hasOwn(acts, event.key) ? acts[event.key] : undefined
    if (act?.()) event.preventDefault()
  }
  return {
    chosen,
    onClick,
    onKey,
    onOver: (event: PointerEvent) => (hovered.value = blockOf(event)),
    onLeave: () => (hovered.value = null),
  }
}
