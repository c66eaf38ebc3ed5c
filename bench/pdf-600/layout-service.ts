import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PDFDocument } from '@cantoo/pdf-lib'

/** A block as the provider returns it. */
export interface SentBlock {
  readonly label: 'text' | 'table' | 'formula'
  readonly content: string
}

/** A parsing server that responds at once with prepared results. */
export interface LayoutService {
  readonly url: string
  readonly key: string
  stop(): Promise<void>
}

/**
 * Starts it on a free local port; `blocksOf` returns the blocks of a page, by its position in the part and its width in points.
 */
export async function startLayoutService(
  blocksOf: (place: number, width: number) => readonly SentBlock[],
): Promise<LayoutService> {
  const key = 'layout-service-key'
  const answer = async (request: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { file } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { readonly file: string }
    const part = await PDFDocument.load(Buffer.from(file.slice(file.indexOf(',') + 1), 'base64'), {
      updateMetadata: false,
    })
    const pages = part.getPages().map((page, place) => blocksOf(place, Math.round(page.getWidth())))
    return JSON.stringify({
      id: 'layout',
      created: 1,
      model: 'glm-ocr',
      md_results: pages
        .flat()
        .map(({ content }) => content)
        .join('\n\n'),
      layout_details: pages.map((blocks) => blocks.map(sent)),
      data_info: {
        num_pages: pages.length,
        pages: pages.map(() => ({ width: 1190, height: 1684 })),
      },
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
      request_id: 'request',
    })
  }
  const server = createServer((request, response) => {
    answer(request).then(
      (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      () => request.socket.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const sent = ({ label, content }: SentBlock, index: number, { length }: readonly unknown[]) => {
  const top = 60 + (index * 1560) / length
  return {
    index,
    label,
    native_label: label,
    bbox_2d: [100, Math.round(top), 1090, Math.round(top + 1400 / length)],
    content,
    width: 1190,
    height: 1684,
  }
}
