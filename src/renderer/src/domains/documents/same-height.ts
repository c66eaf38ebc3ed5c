import type { Block } from '../../../../shared/model/document.ts'

/** Returns the block at a height of its page (a fraction), or the first one below it. */
export const blockAt = (blocks: readonly Block[], height: number): Block | undefined =>
  blocks.find(({ box }) => box !== null && box[3] > height)

/** Returns the fraction of a block that is above a height of its page. */
export function fractionAbove({ box }: Block, height: number): number {
  if (!box) return 0
  const high = box[3] - box[1]
  return high <= 0 ? 0 : Math.min(1, Math.max(0, (height - box[1]) / high))
}

/**
 * Returns the height in its page (a fraction) that has this fraction of a block above it; the page's top for a block
 * without a box.
 */
export function heightAt(block: Block | undefined, fraction: number): number {
  const box = block?.box
  return box ? box[1] + (box[3] - box[1]) * fraction : 0
}
