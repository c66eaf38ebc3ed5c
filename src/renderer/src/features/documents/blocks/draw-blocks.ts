import type { InjectionKey } from 'vue'
import type { Block } from '../../../../../shared/model/document.ts'
import type { BlockDrawer, DrawnBlock } from '../../../markdown/draw-block.ts'
import { createLeastRecent } from './least-recent.ts'

/** Drawn blocks that are kept when they leave the view. */
const keptBlocks = 500
/** Milliseconds of a frame that formulas may take. */
const sliceMs = 8

/** Draws blocks for the rows in view, and remembers them. */
export interface BlockPainter {
  draw(block: Block, anyway: boolean): DrawnBlock
  /** Draws the formulas of a drawn block, a few in each frame; gives what stops it. */
  finish(drawn: DrawnBlock): () => void
  forget(): void
}

/** Where the pane's painter is provided. */
export const painterKey: InjectionKey<() => BlockPainter> = Symbol('painter')

/** Builds a painter over a drawer; its drawn blocks are elements that one row at a time shows. */
export function createPainter(drawer: BlockDrawer): BlockPainter {
  const kept = createLeastRecent<DrawnBlock>(keptBlocks)
  return {
    draw(block, anyway) {
      const content = block.edited ?? block.content
      return kept.of(`${anyway ? 'anyway ' : ''}${block.id} ${block.kind} ${content}`, () =>
        drawer.draw({ kind: block.kind, content }, anyway),
      )
    },
    finish(drawn) {
      if (drawn.state !== 'drawn') return () => undefined
      let asked = 0
      const slice = (): void => {
        const until = performance.now() + sliceMs
        if (!drawn.drawMore(() => performance.now() < until)) asked = requestAnimationFrame(slice)
      }
      slice()
      return () => cancelAnimationFrame(asked)
    },
    forget: () => kept.forget(),
  }
}

const onlyPicture = /^\s*(?:!\[[^\]]*\]\([^)\n]*\)|<img\s[^<>]*>|(?:https?:|data:|file:)\S*)?\s*$/i

/** Whether a figure's text is nothing but the picture itself: then its cut-out says all. */
export function isPictureAlone(block: Pick<Block, 'kind' | 'content' | 'edited'>): boolean {
  return block.kind === 'figure' && onlyPicture.test(block.edited ?? block.content)
}
