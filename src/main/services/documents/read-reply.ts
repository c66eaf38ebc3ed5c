import type { BoxRegime, DocumentFacts, PartPlan } from '../../../shared/model/document.ts'
import type { Answered } from '../../api/answer.ts'
import type { ParsedLayout } from '../../api/layout.ts'
import { readPart, type ReadPage, type ReadPart } from '../../documents/reading/merge.ts'
import { pictureAddresses } from '../../documents/reading/picture-links.ts'
import { AppError } from '../../errors.ts'
import type { PartReply, ReturnedPage } from '../../store/documents-types.ts'
import { packReply } from '../runs/pack.ts'
import { missingFailure } from './trouble.ts'

/** A reply as it is stored, and how its boxes were counted; null when that was a guess. */
export interface ReadReply {
  readonly reply: PartReply
  readonly regime: BoxRegime | null
}

/** Pictures of one reply that are fetched; a hundred pages have fewer. */
const mostPictures = 1_000

/** Blocks and pages of one reply: a page of small print has some hundred, and all of them are written in one go. */
const mostBlocks = 30_000
const mostPages = 5_000

/**
 * Reads a reply of a part that was sent as a file of its own. Throws MALFORMED_REPLY with the reason `pages-unclear` when pages were left
 * out and nobody can tell which (a page must not stand under another's number), `too-much` when it holds more than any document.
 */
export async function readReply(
  { value, raw, engine }: Answered<ParsedLayout>,
  { first, last }: PartPlan,
  facts: DocumentFacts,
  how: { readonly at: number; readonly known: BoxRegime | null },
): Promise<ReadReply> {
  const blocks = value.pages.reduce((sum, page) => sum + page.length, 0)
  if (blocks > mostBlocks || value.pages.length > mostPages)
    throw new AppError('MALFORMED_REPLY', 'The reply holds more than its pages can have', {
      params: { reason: 'too-much' },
    })
  const part = { first, last, as: 'file', pages: facts.pages } as const
  const read = readPart(value, part, facts.sizes, how.known)
  if (!read.aligned && last > first)
    throw new AppError('MALFORMED_REPLY', 'The reply left pages out and does not say which', {
      params: { reason: 'pages-unclear' },
    })
  const pages = first === last ? onlyPage(read, value, first) : read.pages
  const contents = pages.flatMap((page) => page.blocks)
  return {
    regime: read.guessed || read.regime === 'none' ? null : read.regime,
    reply: {
      raw: (await packReply(raw)) ?? raw,
      markdown: read.returned,
      engine: engine ?? value.model,
      pages: [...pages, ...read.surplus].map(returned),
      missing: missingFailure(how.at),
      addresses: pictureAddresses(contents, value.visualisations).slice(0, mostPictures),
      at: how.at,
    },
  }
}

/** A page without anything on it may come as no list at all: it was read when the reply counts it. */
function onlyPage(
  { pages, regime }: ReadPart,
  { pageCount }: ParsedLayout,
  page: number,
): readonly ReadPage[] {
  if (pages.length > 0 || pageCount === null || pageCount < 1) return pages
  return [{ page, blocks: [], raster: null, regime, markdown: '', layoutPicture: null }]
}

const returned = ({ page, blocks, raster, regime, layoutPicture }: ReadPage): ReturnedPage => ({
  page,
  blocks,
  raster,
  regime,
  layoutPicture,
})
