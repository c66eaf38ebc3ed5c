import type { Block } from '../../../../../shared/model/document.ts'
import { nextBlock, type BlocksOf } from './reading-order.ts'

/** Actions of the column's keys. */
export interface BlockKeyOptions {
  readonly blocks: BlocksOf
  readonly pages: () => number
  readonly current: () => number
  readonly chosen: () => Block | null
  readonly choose: (block: Block | null) => void
  readonly goToPage: (page: number) => void
  readonly zoomBy: (direction: 1 | -1) => void
  readonly fitWidth: () => void
  readonly jump: (block: Block) => void
  readonly copy: (block: Block) => void
}

/**
 * Creates the key handler of the column: up and down move through the blocks in reading order, brackets change pages,
 * Enter jumps, c copies.
 */
export function createBlockKeys(options: BlockKeyOptions): (event: KeyboardEvent) => void {
  const walk = (direction: 1 | -1): boolean => {
    const from = options.chosen()
    const block = nextBlock(options.blocks, options.pages(), from, options.current(), direction)
    if (block) options.choose(block)
    // At the last block the page still scrolls.
    return block !== null
  }
  const withChosen = (act: (block: Block) => void): boolean => {
    const block = options.chosen()
    if (block) act(block)
    return block !== null
  }
  const done = (act: () => void): boolean => {
    act()
    return true
  }
  const acts: Readonly<Record<string, () => boolean>> = {
    ArrowDown: () => walk(1),
    ArrowUp: () => walk(-1),
    '[': () => done(() => options.goToPage(options.current() - 1)),
    ']': () => done(() => options.goToPage(options.current() + 1)),
    '+': () => done(() => options.zoomBy(1)),
    '=': () => done(() => options.zoomBy(1)),
    '-': () => done(() => options.zoomBy(-1)),
    '0': () => done(options.fitWidth),
    Enter: () => withChosen(options.jump),
    c: () => withChosen(options.copy),
    Escape: () => withChosen(() => options.choose(null)),
  }
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    // A link or a button inside handles its own keys.
    if (event.target !== event.currentTarget) return
    const act = Object.hasOwn(acts, event.key) ? acts[event.key] : undefined
    if (act?.()) event.preventDefault()
  }
}
