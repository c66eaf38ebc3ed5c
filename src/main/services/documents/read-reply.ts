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
    addresses: addressesIn(value),
    at,
    pages: value.pages.map((blocks, place) => ({
      page: first + place,
      raster: placed.pages[place]?.raster ?? null,
      regime: placed.regime,
      layoutPicture: layoutPictureOf(value, place),
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

/** Pictures of one reply that are fetched; a hundred pages have fewer. */
const mostPictures = 1_000

/** Addresses of pictures that a reply names: as the content of a block, in Markdown or HTML, or of the layout itself. */
function addressesIn({ pages, visualisations }: ParsedLayout): readonly string[] {
  const named = pages.flat().flatMap(({ content }) => {
    const text = content.trim()
    if (/^https?:\/\/\S+$/i.test(text)) return [text]
    const links = text.matchAll(
      /!\[[^\]]*\]\((https?:[^\s)]+)|<img[^>]+src=["']?(https?:[^"'\s>]+)/gi,
    )
    return Array.from(links, ([, markdown, html]) => markdown ?? html ?? '')
  })
  const remote = [...named, ...visualisations].filter((one) => /^https?:/i.test(one))
  return Array.from(new Set(remote)).slice(0, mostPictures)
}

/** One picture of the layout for each page, where the reply has as many. */
const layoutPictureOf = ({ pages, visualisations }: ParsedLayout, place: number): string | null =>
  visualisations.length === pages.length ? (visualisations[place] ?? null) : null
