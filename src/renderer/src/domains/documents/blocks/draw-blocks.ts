import type { InjectionKey } from 'vue'
import type { Block } from '../../../../../shared/model/document.ts'
import type { BlockDrawer, DrawnBlock } from '../../../lib/markdown/draw-block.ts'
import { createFrameTurns, type FrameTurns } from './frame-scheduler.ts'
import { createLruCache } from './lru-cache.ts'

/** Number of rendered blocks retained after they leave the view. */
const maxCachedBlocks = 500

/** Renders blocks for the rows in view, and caches them. */
interface BlockPainter {
  draw(block: Block, anyway: boolean): DrawnBlock
  /**
   * Fills a rendered block that was inserted into the page, a little in each frame; returns a function to call when it
   * leaves the page.
   */
  finish(drawn: DrawnBlock, done: () => void): () => void
  forget(): void
}

/** Injection key of the pane's painter. */
export const painterKey: InjectionKey<() => BlockPainter> = Symbol('painter')

/**
 * Injection key of the function that returns the actual or expected height of a block in the pane in pixels; null for
 * one that is not there.
 */
export const roomKey: InjectionKey<(blockId: string) => number | null> = Symbol('room')

/** Creates a painter for a drawer; its rendered blocks are elements that one row at a time shows. */
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

/** Whether a figure's text is only the image itself: then its crop is sufficient. */
export function isImageAlone(block: Pick<Block, 'kind' | 'content' | 'edited'>): boolean {
  return block.kind === 'figure' && onlyImage.test(block.edited ?? block.content)
}
