import { setTimeout as sleep } from 'node:timers/promises'
import { createCanvas } from '@napi-rs/canvas'
import { PDFDocument } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { drawLines, makePdf } from './fixtures/papers.ts'
import { failureOf, startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ clock: () => 1_700_000_000_500 })
})
afterAll(() => service.stop())

interface Answer {
  readonly id: string
  readonly created: number
  readonly model: string
  readonly md_results: string
  readonly layout_details: readonly (readonly Record<string, unknown>[])[]
  readonly layout_visualization: readonly string[]
  readonly data_info: { num_pages: number; pages: { width: number; height: number }[] }
  readonly usage: Record<string, unknown>
  readonly request_id: string
  readonly engine: string
  readonly notice: string
}

const uri = (bytes: Uint8Array, mime = 'application/pdf'): string =>
  `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`

const post = (body: unknown): Promise<Response> =>
  service.call('/paas/v4/layout_parsing', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

async function parse(body: Record<string, unknown>): Promise<Answer> {
  const response = await post({ model: 'gen-ocr', ...body })
  if (response.status !== 200) throw new Error(await response.text())
  return (await response.json()) as Answer
}

const pages = (count: number): Promise<Uint8Array> =>
  makePdf(
    Array.from(
      { length: count },
      (_, i) => (sheet) => sheet.write(`Words of page ${i + 1}`, 72, 600),
    ),
  )

/** Creates a page with a heading, a text and an image below it. */
async function illustrated(): Promise<Uint8Array> {
  const photo = createCanvas(200, 100)
  const context = photo.getContext('2d')
  context.fillStyle = '#28c'
  context.fillRect(0, 0, 200, 100)
  const document = await PDFDocument.load(
    await makePdf([
      (sheet) => {
        sheet.write('Report', 72, 720, 24, true)
        sheet.flow(
          'The picture below shows the sea on a calm day in the early summer.',
          72,
          690,
          400,
        )
        sheet.write('1', 303, 30, 9)
      },
    ]),
  )
  const png = await document.embedPng(photo.toBuffer('image/png'))
  document.getPage(0).drawImage(png, { x: 72, y: 500, width: 200, height: 100 })
  return document.save()
}

test('returns a document as in the API reference', async () => {
  const answer = await parse({ file: uri(await illustrated()), request_id: 'request-1' })
  expect(answer).toMatchObject({
    id: expect.stringMatching(/^layout-/),
    created: 1_700_000_000,
    model: 'gen-ocr',
    layout_visualization: [],
    data_info: { num_pages: 1, pages: [{ width: 1700, height: 2200 }] },
    request_id: 'request-1',
    engine: expect.stringContaining('PDF'),
    notice: expect.stringContaining('Formulas'),
  })
  expect(answer.md_results).toBe(
    '# Report\n\nThe picture below shows the sea on a calm day in the early summer.\n\n![](page=0,bbox=[200, 533, 756, 812])',
  )
  expect(
    answer.layout_details[0]?.map(({ index, label, native_label }) => [index, label, native_label]),
  ).toEqual([
    [0, 'text', 'doc_title'],
    [1, 'text', 'text'],
    [2, 'image', 'image'],
    [3, 'text', 'number'],
  ])
  expect(answer.layout_details[0]?.[2]).toEqual({
    index: 2,
    label: 'image',
    native_label: 'image',
    bbox_2d: [200, 533, 756, 812],
    content: '',
    height: 2200,
    width: 1700,
  })
  const { prompt_tokens, completion_tokens, total_tokens } = answer.usage
  expect(Number(prompt_tokens) + Number(completion_tokens)).toBe(total_tokens)
  expect(Number(completion_tokens)).toBeGreaterThan(10)
})

test('returns crops and visualizations as working links', async () => {
  const answer = await parse({
    file: uri(await illustrated()),
    return_crop_images: true,
    need_layout_visualization: true,
  })
  const link = /!\[\]\((http[^)]+\.png)\)/.exec(answer.md_results)?.[1] ?? ''
  expect(answer.layout_details[0]?.[2]?.['content']).toBe(link)
  const crop = await fetch(link)
  expect([crop.status, crop.headers.get('content-type')]).toEqual([200, 'image/png'])
  expect(answer.layout_visualization).toHaveLength(1)
  const page = await fetch(answer.layout_visualization[0] ?? '')
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
})

test('reads only the requested pages', async () => {
  const file = uri(await pages(4))
  const answer = await parse({ file, start_page_id: 2, end_page_id: 3 })
  expect(answer.md_results).toBe('Words of page 2\n\nWords of page 3')
  expect(answer.data_info.num_pages).toBe(2)
  expect((await parse({ file, start_page_id: 4 })).md_results).toBe('Words of page 4')
  expect((await parse({ file, end_page_id: 1 })).md_results).toBe('Words of page 1')
})

test('reads an image and reports its type', async () => {
  const canvas = drawLines(['Harbour dues'], { width: 400, size: 30, font: 'sans-serif' })
  const answer = await parse({ file: uri(canvas.toBuffer('image/png'), 'image/png') })
  expect(answer.md_results).toContain('Harbour dues')
  expect(answer.notice).toContain('Text on page 1 was recognized from images')
}, 120_000)

test('detects the file type by its bytes, not its name', async () => {
  expect((await parse({ file: uri(await pages(1), 'image/png') })).md_results).toBe(
    'Words of page 1',
  )
  const gif = Buffer.from('GIF89a and more')
  expect(await failureOf(await post({ model: 'gen-ocr', file: uri(gif, 'image/png') }))).toBe(
    '400 1214',
  )
})

test('returns the code of every violated rule', async () => {
  const file = uri(await pages(2))
  const image = uri(createCanvas(20, 20).toBuffer('image/png'), 'image/png')
  const locked = await makePdf([(sheet) => sheet.write('One', 72, 700)], (document) =>
    document.encrypt({ userPassword: 'harbour', ownerPassword: 'owner' }),
  )
  const broken: readonly (readonly [string, Record<string, unknown>])[] = [
    ['400 1213', { model: undefined, file }],
    ['400 1211', { model: 'gen-embedding', file }],
    ['400 1213', {}],
    ['400 1214', { file: 12 }],
    ['400 1214', { file: 'https://example.org/a.pdf' }],
    ['400 1214', { file: Buffer.from(await pages(1)).toString('base64') }],
    ['400 1214', { file: 'data:application/pdf;base64,' }],
    ['400 1214', { file: uri(Buffer.from('%PDF-1.7 broken')) }],
    ['400 1214', { file: uri(locked) }],
    ['400 1214', { file, start_page_id: 0 }],
    ['400 1214', { file, start_page_id: 1.5 }],
    ['400 1214', { file, end_page_id: 0 }],
    ['400 1214', { file, start_page_id: 2, end_page_id: 1 }],
    ['400 1214', { file, start_page_id: 3 }],
    ['400 1214', { file, end_page_id: 3 }],
    ['400 1214', { file: image, start_page_id: 1 }],
    ['400 1214', { file, return_crop_images: 'true' }],
    ['400 1214', { file, need_layout_visualization: 1 }],
    ['400 1214', { file, user_id: 'abcde' }],
    ['400 1214', { file, user_id: 'a'.repeat(129) }],
    ['400 1214', { file, request_id: 'abcde' }],
    ['400 1214', { file, request_id: 'a'.repeat(65) }],
  ]
  for (const [code, fields] of broken)
    expect([code, Object.keys(fields)]).toEqual([
      await failureOf(await post({ model: 'gen-ocr', ...fields })),
      Object.keys(fields),
    ])
  expect(await failureOf(await post('{"model":"gen-ocr","file":"data:'))).toBe('400 1210')
})

test('accepts lengths and page numbers at their limits', async () => {
  const file = uri(await pages(2))
  const answer = await parse({
    file,
    user_id: 'a'.repeat(128),
    request_id: 'a'.repeat(64),
    start_page_id: 1,
    end_page_id: 2,
  })
  expect(answer.request_id).toHaveLength(64)
  await parse({ file, user_id: 'abcdef', request_id: 'abcdef' })
})

test('reads a hundred pages and rejects one more', async () => {
  const answer = await parse({ file: uri(await pages(100)), start_page_id: 99 })
  expect(answer.md_results).toBe('Words of page 99\n\nWords of page 100')
  const over = await post({ model: 'gen-ocr', file: uri(await pages(101)), end_page_id: 1 })
  expect(await over.text()).toContain('at most 100 pages; it has 101')
}, 120_000)

/** Pads the file with white space at its end to this number of bytes: readers ignore it. */
function padded(bytes: Uint8Array, length: number): Uint8Array {
  const long = Buffer.alloc(length, 0x20)
  long.set(bytes)
  return long
}

test('accepts sizes at their limits and rejects one more byte', async () => {
  const megabyte = 1024 * 1024
  const image = createCanvas(20, 20).toBuffer('image/png')
  const sizes: readonly (readonly [number, string])[] = [
    [200, uri(padded(image, 10 * megabyte), 'image/png')],
    [400, uri(padded(image, 10 * megabyte + 1), 'image/png')],
    [200, uri(padded(await pages(1), 50 * megabyte))],
    [400, uri(padded(await pages(1), 50 * megabyte + 1))],
  ]
  for (const [status, file] of sizes) {
    const body = JSON.stringify({ model: 'gen-ocr', file })
    // Sending this takes seconds: connections closed by the server in the meantime must be noticed before one is used.
    await sleep(50)
    const response = await post(body)
    const text = await response.text()
    expect([response.status, text.slice(0, 200)]).toEqual([status, expect.any(String)])
  }
}, 120_000)
