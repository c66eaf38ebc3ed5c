import type { BoxRegime, PageSize, PartPlan } from '../../../../../shared/model/document.ts'
import { isRecord, parseJson } from '../../../../provider-client/json.ts'
import type { ParsedLayout } from '../../../../provider-client/layout-response.ts'
import { readLayout } from '../../../../provider-client/layout-response.ts'
import { AppError } from '../../../../errors.ts'
import { failedBy, type Failed } from '../../../../platform/workers/failed.ts'
import { readPart, type ReadPage, type ReadPart } from './merge.ts'
import type { ReadBlock } from './page-markdown.ts'
import { filledAddresses, imageAddresses } from './image-links.ts'
import type { DisplayedPage } from './coordinates.ts'

/** Text of a response, and the pages it is for: `first` to `last`, sent as a separate file. */
export interface ReplyText extends PartPlan {
  readonly body: string
  /** Replaces the response's own. */
  readonly model: string
  /** Number of pages of the whole document, and their sizes as displayed. */
  readonly pages: number
  readonly sizes: readonly DisplayedPage[]
  /** Box units of earlier responses of the provider. */
  readonly known: BoxRegime | null
}

/** A page of a response whose blocks are passed separately. */
interface PageHead {
  readonly page: number
  readonly raster: PageSize | null
  readonly regime: BoxRegime
  readonly layoutPicture: string | null
  /** Number of blocks. */
  readonly blocks: number
}

/** Blocks of a page, or some of them: the others are in other portions. */
export interface PageBlocks {
  readonly page: number
  readonly blocks: readonly ReadBlock[]
}

/** A parsed response for a part. */
export interface ReplyRead {
  readonly model: string
  readonly markdown: string
  /** Units of its boxes; null when they were guessed, or there are none. */
  readonly regime: BoxRegime | null
  /** Pages of the part, and additional ones: blocks of the latter are discarded. */
  readonly pages: readonly PageHead[]
  /**
   * The blocks of the part's pages in order: each portion is the JSON of a list of {@link PageBlocks}, as much as is
   * stored in a few milliseconds.
   */
  readonly portions: readonly string[]
  /** URLs of images on other computers in it. */
  readonly addresses: readonly string[]
  /** Those of them that the provider put into a field; the others occur in text. */
  readonly filled: readonly string[]
}

/** Content of the text of a response. */
export type ParsedReply =
  /** Not JSON. */
  | { readonly type: 'none' }
  /** `meta` is the whole response except the layout; `read` is the failure if there is no valid layout. */
  | { readonly type: 'read'; readonly meta: unknown; readonly read: ReplyRead | Failed }

/** Maximum number of image URLs of one response; a hundred pages have fewer. */
const maxImages = 1_000

/** Maximum number of blocks and pages of one response: a page of small print has some hundred blocks. */
const maxBlocks = 30_000
const maxPages = 5_000

/** Maximum number of blocks and characters of a portion. */
const portionBlocks = 300
const portionChars = 150_000

/**
 * Parses the text of a response. Its own errors are returned as {@link Failed}: MALFORMED_REPLY with the reason
 * `no-layout`; `pages-unclear` when pages were left out and it is unknown which (a page must not get another one's
 * number); `too-much` when it contains more than any document.
 */
export function readReplyText(text: ReplyText): ParsedReply {
  const json = parseJson(text.body)
  if (json === undefined) return { type: 'none' }
  const meta = metaOf(json)
  try {
    return { type: 'read', meta, read: readReply(readLayout(json, text.model), text) }
  } catch (error) {
    return { type: 'read', meta, read: failedBy(error) }
  }
}

/** Returns the fields about failures, usage and engines, without long content. */
function metaOf(json: unknown): unknown {
  if (!isRecord(json)) return null
  const { layout_details: _, md_results: __, layout_visualization: ___, ...rest } = json
  return rest
}

function readReply(layout: ParsedLayout, text: ReplyText): ReplyRead {
  const { first, last } = text
  const blocks = layout.pages.reduce((sum, page) => sum + page.length, 0)
  if (blocks > maxBlocks || layout.pages.length > maxPages)
    throw new AppError('MALFORMED_REPLY', 'The response contains more than its pages can have', {
      params: { reason: 'too-much' },
    })
  const part = { first, last, as: 'file', pages: text.pages } as const
  const read = readPart(layout, part, text.sizes, text.known)
  if (!read.aligned && last > first)
    throw new AppError('MALFORMED_REPLY', 'The response omits pages without specifying which', {
      params: { reason: 'pages-unclear' },
    })
  const pages = first === last ? onlyPage(read, layout, first) : read.pages
  const contents = pages.flatMap((page) => page.blocks)
  return {
    model: layout.model,
    markdown: read.returned,
    regime: read.guessed || read.regime === 'none' ? null : read.regime,
    pages: [...pages, ...read.surplus].map(headOf),
    portions: portionsOf(pages).map((portion) => JSON.stringify(portion)),
    addresses: imageAddresses(contents, layout.visualisations).slice(0, maxImages),
    filled: filledAddresses(contents, layout.visualisations).slice(0, maxImages),
  }
}

/** An empty page may be sent as no list at all: it was read when the response counts it. */
function onlyPage(
  { pages, regime }: ReadPart,
  { pageCount }: ParsedLayout,
  page: number,
): readonly ReadPage[] {
  if (pages.length > 0 || pageCount === null || pageCount < 1) return pages
  return [{ page, blocks: [], raster: null, regime, markdown: '', layoutPicture: null }]
}

const headOf = ({ page, blocks, raster, regime, layoutPicture }: ReadPage): PageHead => ({
  page,
  raster,
  regime,
  layoutPicture,
  blocks: blocks.length,
})

/** Short pages are combined; a long one is split. */
export function portionsOf(pages: readonly PageBlocks[]): readonly (readonly PageBlocks[])[] {
  const portions: PageBlocks[][] = []
  let portion: PageBlocks[] = []
  let blocks: ReadBlock[] = []
  let count = 0
  let chars = 0
  const endPage = (page: number): void => {
    if (blocks.length > 0) portion.push({ page, blocks })
    blocks = []
  }
  const endPortion = (): void => {
    if (portion.length > 0) portions.push(portion)
    portion = []
    count = 0
    chars = 0
  }
  for (const { page, blocks: own } of pages) {
    for (const block of own) {
      if (count >= portionBlocks || chars >= portionChars) {
        endPage(page)
        endPortion()
      }
      blocks.push(block)
      count += 1
      chars += block.content.length
    }
    endPage(page)
  }
  endPortion()
  return portions
}
