import type { InjectionKey } from 'vue'
import type { Block } from '../../../../../shared/model/document.ts'
import type { BlockDrawer, DrawnBlock } from '../../../markdown/draw-block.ts'
import { createFrameTurns, type FrameTurns } from './frame-scheduler.ts'
import { createLruCache } from './lru-cache.ts'

/** Drawn blocks that are kept when they leave the view. */
const maxCachedBlocks = 500

/** Draws blocks for the rows in view, and remembers them. */
export interface BlockPainter {
  draw(block: Block, anyway: boolean): DrawnBlock
  /** Fills a drawn block that was put into the page, a little in each frame; gives what is to be called where it leaves the page. */
  finish(drawn: DrawnBlock, done: () => void): () => void
  forget(): void
}

/** Where the pane's painter is provided. */
export const painterKey: InjectionKey<() => BlockPainter> = Symbol('painter')

/** Where the pane says how high a block stands in it, or will, in pixels; null for one that is not there. */
export const roomKey: InjectionKey<(blockId: string) => number | null> = Symbol('room')

/** Builds a painter over a drawer; its drawn blocks are elements that one row at a time shows. */
export function createPainter(
  drawer: BlockDrawer,
  turns: FrameTurns = createFrameTurns({
    now: () => performance.now(),
    ask: (frame) => void requestAnimationFrame(frame),
  }),
): BlockPainter {
  const drawnBlocks = createLruCache<DrawnBlock>(maxCachedBlocks)
  return {
    draw(block, anyway) {
      const content = block.edited ?? block.content
      return drawnBlocks.of(`${anyway ? 'anyway ' : ''}${block.id} ${block.kind} ${content}`, () =>
        drawer.draw({ kind: block.kind, content }, anyway),
      )
    },
    finish(drawn, done) {
      if (drawn.state !== 'drawn') return () => undefined
      const end = turns.begin(drawn.drawMore, done)
      return () => {
        end()
        drawn.takeOut()
      }
    },
    forget: () => drawnBlocks.forget(),
  }
}

const onlyImage = /^\s*(?:!\[[^\]]*\]\([^)\n]*\)|<img\s[^<>]*>|(?:https?:|data:|file:)\S*)?\s*$/i

/** Whether a figure's text is nothing but the picture itself: then its cut-out says all. */
export function isImageAlone(block: Pick<Block, 'kind' | 'content' | 'edited'>): boolean {
  return block.kind === 'figure' && onlyImage.test(block.edited ?? block.content)
}
