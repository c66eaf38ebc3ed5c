import { limits } from '../../shared/provider/limits.ts'
import { estimateTokens } from '../../shared/text/token-estimate.ts'
import type { ServiceContext, Route, Handler } from '../context.ts'
import { PageFailure } from '../engines/pages.ts'
import type { PageBlock, ReadPage } from '../engines/pages/messages.ts'
import { ServiceError } from '../errors.ts'
import { fieldIllegal } from '../json-body.ts'
import { jsonReply, type ServiceRequest } from '../http.ts'
import { readLayoutRequest, type LayoutRequest } from './layout-body.ts'
import { layoutNotice } from './layout-notice.ts'

const { pages: maxPages } = limits.layout

function asServiceError(error: unknown): unknown {
  if (!(error instanceof PageFailure)) return error
  if (error.trouble === 'damaged') return fieldIllegal('file', `be readable: ${error.message}`)
  if (error.trouble === 'encrypted')
    return fieldIllegal('file', 'not be protected by a password: remove the protection first')
  if (error.trouble === 'no-such-page')
    return new ServiceError('fieldIllegal', `start_page_id or end_page_id: ${error.message}`)
  if (error.trouble === 'engine-unavailable')
    return new ServiceError('engineUnavailable', error.message)
  return new ServiceError('callFailed', 'Reading the document failed')
}

/**
 * Reads the requested pages. The limit of 100 pages (service-notes 16) is applied to the whole file: the API reference
 * does not specify it, and this is the stricter interpretation.
 */
async function pagesOf(
  { bytes, kind, crops, visualise, from, to }: LayoutRequest,
  { signal }: ServiceRequest,
  { pages: engine }: ServiceContext,
): Promise<readonly ReadPage[]> {
  try {
    if (kind === 'pdf') {
      const count = await engine.count(bytes, kind, signal)
      if (count > maxPages)
        throw fieldIllegal('file', `have at most ${maxPages} pages; it has ${count}`)
    }
    const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
    const read = await engine.read({ bytes, kind, crops, visualise, signal, ...range })
    return read.pages
  } catch (error) {
    throw asServiceError(error)
  }
}

/** Stores the crops in the media store and returns their URLs. */
async function linksOf(
  pages: readonly ReadPage[],
  { media }: ServiceContext,
): Promise<ReadonlyMap<PageBlock, string>> {
  const links = new Map<PageBlock, string>()
  for (const block of pages.flatMap(({ blocks }) => blocks))
    if (block.crop) links.set(block, await media.put(block.crop, 'png'))
  return links
}

async function visualisationsOf(
  pages: readonly ReadPage[],
  { media }: ServiceContext,
): Promise<string[]> {
  const links: string[] = []
  for (const { visualisation } of pages)
    if (visualisation) links.push(await media.put(visualisation, 'jpg'))
  return links
}

/** Pixels of a page per token, as vision models count them. */
const pixelsPerToken = 28 * 28

function usageOf(pages: readonly ReadPage[], markdown: string): Record<string, unknown> {
  const prompt = pages.reduce(
    (sum, { width, height }) => sum + (width * height) / pixelsPerToken,
    0,
  )
  const prompt_tokens = Math.ceil(prompt)
  const completion_tokens = estimateTokens(markdown).likely
  return {
    prompt_tokens,
    completion_tokens,
    prompt_tokens_details: { cached_tokens: 0 },
    total_tokens: prompt_tokens + completion_tokens,
  }
}

/** `POST /paas/v4/layout_parsing` (service-notes 12). */
const parseLayout: Handler = async (request, context) => {
  const layoutRequest = await readLayoutRequest(request.incoming)
  const pages = await pagesOf(layoutRequest, request, context)
  const links = await linksOf(pages, context)
  const markdown = pages
    .map(({ blocks }, i) => pageMarkdown(blocks, i, (block) => links.get(block)))
    .filter((text) => text !== '')
    .join('\n\n')
  const details = pages.map(({ blocks, width, height }) =>
    blocks.map((block, index) => ({
      index,
      label: block.label,
      native_label: block.nativeLabel,
      bbox_2d: block.box,
      content: links.get(block) ?? block.content,
      height,
      width,
    })),
  )
  return jsonReply({
    id: `layout-${context.ids()}`,
    created: Math.floor(context.clock() / 1000),
    model: layoutRequest.model,
    md_results: markdown,
    layout_details: details,
    layout_visualization: await visualisationsOf(pages, context),
    data_info: {
      num_pages: pages.length,
      pages: pages.map(({ width, height }) => ({ width, height })),
    },
    usage: usageOf(pages, markdown),
    request_id: layoutRequest.requestId ?? context.ids(),
    engine: context.pages.name,
    notice: layoutNotice(pages),
  })
}

export const layoutRoutes: readonly Route[] = [['POST', '/paas/v4/layout_parsing', parseLayout]]

/**
 * Labels of page margins, which are not part of the text: the provider's pipeline leaves them out as well (service-notes
 * 12).
 */
const edges: ReadonlySet<string> = new Set(['header', 'footer', 'number'])

/**
 * Returns one page as Markdown. `page` counts from 0 in the response; `link` returns the URL of an image crop, if there
 * is one.
 */
function pageMarkdown(
  blocks: readonly PageBlock[],
  page: number,
  link: (block: PageBlock) => string | undefined,
): string {
  return blocks
    .filter(({ nativeLabel }) => !edges.has(nativeLabel))
    .map((block) => {
      if (block.label !== 'image') return block.content
      return `![](${link(block) ?? `page=${page},bbox=[${block.box.join(', ')}]`})`
    })
    .join('\n\n')
}
