import type { DocumentFacts, PartPlan } from '../../../shared/model/document.ts'
import { blockKind } from '../../../shared/document/block-kind.ts'
import type { Answered } from '../../api/answer.ts'
import type { ParsedLayout } from '../../api/layout.ts'
import { placeBoxes } from '../../documents/reading/coordinates.ts'
import type { PartReply } from '../../store/documents-types.ts'
import { packReply } from '../runs/pack.ts'
import { missingFailure } from './trouble.ts'

/** A reply of a part as it is stored; the part was sent as a file of its own, whose pages count from 1. */
export async function readReply(
  { value, raw, engine }: Answered<ParsedLayout>,
  { first }: PartPlan,
  facts: DocumentFacts,
  at: number,
): Promise<PartReply> {
  const placed = placeBoxes(
    value.pages.map((blocks, place) => ({
      told: value.pageSizes[place] ?? null,
      blocks,
      looked: facts.sizes[first - 1 + place] ?? null,
    })),
  )
  return {
    raw: (await packReply(raw)) ?? raw,
    markdown: value.markdown,
    engine: engine ?? value.model,
    missing: missingFailure(at),
    at,
    pages: value.pages.map((blocks, place) => ({
      page: first + place,
      raster: placed.pages[place]?.raster ?? null,
      regime: placed.regime,
      blocks: blocks.map((block, order) => ({
        order,
        kind: blockKind(block.label, block.nativeLabel),
        label: block.label,
        nativeLabel: block.nativeLabel,
        content: block.content,
        ...(placed.pages[place]?.boxes[order] ?? { box: null, raw: null, guessed: false }),
      })),
    })),
  }
}
