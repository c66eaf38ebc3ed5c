import type { PageContent, Run } from '../content.ts'
import { coveredPart, median } from '../geometry.ts'
import type { Box, Placed } from '../geometry.ts'
import { alignedTable } from './aligned-table.ts'
import { blocksOf } from './blocks.ts'
import type { Block, HeadingRules } from './blocks.ts'
import { regionsOf } from './columns.ts'
import { linesOf, segmentsOf } from './lines.ts'
import type { Line, Segment } from './lines.ts'
import { marginsOf } from './margins.ts'
import { paragraphsOf } from './paragraphs.ts'
import { ruledTables } from './ruled-table.ts'

/** Context of a page from the rest of the document. */
export interface Surroundings {
  readonly pageNumber: number
  /** Font size of the document's body text in pixels; 0 if unknown. */
  readonly bodySize: number
  /** Texts at the edges of the previous and following pages (see `edgePatterns`). */
  readonly neighbours: readonly ReadonlySet<string>[]
}

/** Part of a page that is placed within the text but not read line by line. */
interface Fixed extends Placed {
  readonly block: Block
}

type Element = Fixed | Segment

/** Returns the median font size of the characters. */
export function bodySizeOf(runs: readonly Run[]): number {
  return median(
    runs.flatMap(({ text, size }) => Array<number>(Math.ceil(text.length / 8)).fill(size)),
  )
}

const within = (box: Box, places: readonly Placed[]): boolean =>
  places.some((place) => coveredPart(box, place.box) > 0.6)

function textBlocks(lines: readonly Line[], rules: HeadingRules): Block[] {
  const found = alignedTable(lines)
  if (!found) return blocksOf(paragraphsOf(lines), rules)
  const { box, html } = found.table
  return [
    ...blocksOf(paragraphsOf(lines.slice(0, found.from)), rules),
    { label: 'table', nativeLabel: 'table', box, content: html },
    ...textBlocks(lines.slice(found.to), rules),
  ]
}

/** Returns the blocks of a region: the text above, between and below its fixed parts. */
function regionBlocks(region: readonly Element[], rules: HeadingRules): Block[] {
  const fixed = region
    .filter((element) => 'block' in element)
    .toSorted((a, b) => a.box[1] - b.box[1])
  let lines = linesOf(region.filter((element) => 'text' in element))
  const blocks: Block[] = []
  for (const { block } of fixed) {
    const middle = (block.box[1] + block.box[3]) / 2
    const above = lines.filter(({ box }) => (box[1] + box[3]) / 2 < middle)
    blocks.push(...textBlocks(above, rules), block)
    lines = lines.filter((line) => !above.includes(line))
  }
  return [...blocks, ...textBlocks(lines, rules)]
}

/** Returns the blocks of a page in reading order. */
export function layoutPage(page: PageContent, around: Surroundings): Block[] {
  const margins = marginsOf(page.runs, page.height, around.neighbours)
  const edges = margins.map(({ segment }) => segment)
  const inner = page.runs.filter(({ box }) => !within(box, edges))
  const tables = ruledTables(page.rules, inner, page.inks).map(({ box, html }): Fixed => ({
    box,
    block: { label: 'table', nativeLabel: 'table', box, content: html },
  }))
  const images = page.images
    .filter((box) => !within(box, tables))
    .map((box): Fixed => ({
      box,
      block: { label: 'image', nativeLabel: 'image', box, content: '' },
    }))
  const fixed = [...tables, ...images]
  const outside = inner.filter(({ box }) => !within(box, fixed))
  // OCR finds whole lines, and its boxes extend into the gutters, so nothing is joined across them.
  const texts = page.ocr ? outside.flatMap((run) => segmentsOf([run])) : segmentsOf(outside)
  const body = around.bodySize || bodySizeOf(inner) || 1
  const rules: HeadingRules = {
    body,
    largest: Math.max(0, ...texts.map(({ size }) => size)),
    firstPage: around.pageNumber === 1,
    ocr: page.ocr,
  }
  const marginBlocks = (kinds: readonly string[]): Block[] =>
    margins
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ segment, kind }) => ({
        label: 'text',
        nativeLabel: kind,
        box: segment.box,
        content: segment.text,
      }))
  // Their position in the text is unknown, so they are placed after it.
  const turned = page.turned
    .filter(({ box }) => !within(box, fixed))
    .map(({ box, text }): Block => ({ label: 'text', nativeLabel: 'text', box, content: text }))
  const isTop = ({ box }: Block): boolean => box[1] < page.height / 2
  const edgeBlocks = marginBlocks(['header', 'footer', 'number'])
  return [
    ...edgeBlocks.filter(isTop),
    ...regionsOf<Element>([...fixed, ...texts], page.ocr ? 0.5 * body : body).flatMap((region) =>
      regionBlocks(region, rules),
    ),
    ...turned,
    ...edgeBlocks.filter((block) => !isTop(block)),
  ]
}
