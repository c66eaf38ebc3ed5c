import type { Block } from '../../../../../shared/model/document.ts'
import { placeholderKey } from '../document-export-types.ts'
import { cutOpaque, type Placeholder } from '../../../../platform/export-files/opaque.ts'

/** An image inside a block that is known only by its position and is not a figure block of its page. */
interface PlacedImage {
  /** Key that requests its crop. */
  readonly key: string
  /** Left, top, right and bottom in the coordinates of the response. */
  readonly numbers: readonly number[]
}

/**
 * Returns the key of a placeholder's crop: the figure block of the page with the same four numbers, else the placeholder
 * itself.
 */
export function placeholderImage(
  { numbers, index }: Placeholder,
  block: Block,
  figures: readonly Block[],
): string {
  const same = figures.find(
    ({ raw }) => raw?.every((number, at) => Math.abs(number - (numbers[at] ?? NaN)) < 1) ?? false,
  )
  return same?.id ?? placeholderKey(block.id, index)
}

const inHtml =
  /<img\b[^<>]{0,2000}?\bsrc\s{0,9}=\s{0,9}(["'])(\s{0,9}page=\d{1,6},\s{0,9}bbox=\[([-\d.,\s]{1,200})\]\s{0,9})\1/giu

/** Returns the images of a block that must be cropped from its page; `figures` are the figure blocks of the page. */
export function placedImages(
  text: string,
  block: Block,
  figures: readonly Block[],
): readonly PlacedImage[] {
  if (block.kind === 'figure' || !text.includes('bbox')) return []
  const inMarkdown = cutOpaque(text).fragments.flatMap(({ node }) =>
    node.type === 'placeholder'
      ? [{ key: placeholderImage(node, block, figures), numbers: node.numbers }]
      : [],
  )
  const inTables = Array.from(text.matchAll(inHtml), ([, , key = '', numbers = '']) => ({
    key,
    numbers: numbers.split(',').map(Number),
  }))
  const known = new Set(figures.map(({ id }) => id))
  return [...inMarkdown, ...inTables].filter(
    ({ key, numbers }) => !known.has(key) && numbers.length === 4 && numbers.every(Number.isFinite),
  )
}
