import { expect, test } from 'vitest'
import {
  readReplyText,
  type PageBlocks,
  type ParsedReply,
} from '../../../../../../src/main/domains/documents/worker/reading/reply.ts'
import { createDocumentTexts } from '../../../../../../src/main/domains/documents/worker/work.ts'
import { workerUrl } from '../../../../../fixtures/worker-url.ts'

const program = workerUrl('documents')

/** Returns a response for pages with these numbers of blocks. */
const bodyOf = (counts: readonly number[]): string =>
  JSON.stringify({
    request_id: 'r',
    usage: { total_tokens: 2 },
    md_results: 'text',
    layout_details: counts.map((count, page) =>
      Array.from({ length: count }, (_, index) => ({
        index,
        label: 'text',
        bbox_2d: [10, 10 + index, 900, 20 + index],
        content: `block ${index} of page ${page + 1} ${'文字'.repeat(40)}`,
        width: 1000,
        height: 20_000,
      })),
    ),
    data_info: { num_pages: counts.length, pages: counts.map(() => ({ width: 1, height: 1 })) },
  })
const textOf = (body: string, pages: number) => ({
  body,
  model: 'model',
  first: 1,
  last: pages,
  pages,
  sizes: Array.from({ length: pages }, () => ({ width: 500, height: 10_000 })),
  known: null,
})
const readOf = (parsed: ParsedReply) => {
  if (parsed.type === 'none' || 'type' in parsed.read) throw new Error('no layout')
  return parsed.read
}

test('splits all blocks into short ordered batches, and reports the rest without the layout', () => {
  const counts = [40, 0, 700, 1, 350, 20]
  const parsed = readReplyText(textOf(bodyOf(counts), counts.length))
  const { pages, portions } = readOf(parsed)
  expect(pages.map(({ page, blocks }) => [page, blocks])).toEqual(
    counts.map((count, at) => [at + 1, count]),
  )
  const lists = portions.map((portion) => JSON.parse(portion) as PageBlocks[])
  for (const list of lists) {
    const count = list.reduce((sum, { blocks }) => sum + blocks.length, 0)
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThanOrEqual(300)
  }
  const places = lists
    .flat()
    .flatMap(({ page, blocks }) => blocks.map(({ order }) => [page, order]))
  expect(places).toEqual(
    counts.flatMap((count, at) => Array.from({ length: count }, (_, order) => [at + 1, order])),
  )
  expect(parsed).toMatchObject({ meta: { request_id: 'r', usage: { total_tokens: 2 } } })
  expect(parsed).not.toHaveProperty('told.layout_details')
})

test('reads a long response off the main thread with the same result', async () => {
  const texts = createDocumentTexts(program)
  try {
    const long = textOf(bodyOf(Array.from({ length: 24 }, () => 60)), 24)
    expect(long.body.length).toBeGreaterThan(100_000)
    expect(await texts.readReply(long)).toEqual(readReplyText(long))
    expect(await texts.readReply({ ...long, body: `${long.body}}` })).toEqual({ type: 'none' })
    const unclear = await texts.readReply({ ...long, last: 30, pages: 30 })
    expect(unclear).toMatchObject({ type: 'read' })
  } finally {
    await texts.close()
  }
})

test('reports why a response has no layout, with its other data', () => {
  const parsed = readReplyText(textOf('{"error":{"code":"1210","message":"no"}}', 1))
  expect(parsed).toMatchObject({
    meta: { error: { code: '1210' } },
    read: { type: 'failed', code: 'MALFORMED_REPLY' },
  })
  expect(readReplyText(textOf('<html>', 1))).toEqual({ type: 'none' })
})
