import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { LayoutSource } from '../../../src/main/provider-client/layout.ts'
import { limitsWith } from '../../../src/shared/provider/limits.ts'
import { apiSetup, failureOf } from './support.ts'

const megabyte = 1024 * 1024
const empty = JSON.stringify({ id: 'l', created: 1, model: 'glm-ocr', md_results: '' })
const url = { url: 'https://example.org/a.pdf' }
const block = { index: 0, label: 'text', bbox_2d: [1, 2, 3, 4], content: 'words' }

test.each([0, 1, 2, 3])(
  'sends a file of length %i modulo 3 as one data URI of known length',
  async (over) => {
    const { api, server, target, file } = await apiSetup()
    server.always({ body: empty })
    // Longer than a few reads, so that chunks must be joined.
    const bytes = Buffer.from(Array.from({ length: 600_000 + over }, (_, i) => (i * 31) % 256))
    const of = file(1, 'a.pdf')
    writeFileSync(of.path, bytes)
    await api.layout.parse(
      target(),
      {
        source: {
          file: { ...of, bytes: bytes.length },
          mime: 'application/pdf',
          pages: 3,
        },
        startPage: 1,
        endPage: 3,
        cropImages: true,
        visualisation: false,
        userId: 'user-1',
      },
      { requestId: 'request-1' },
    )
    const [sent] = server.requests
    expect(sent).toMatchObject({ method: 'POST', url: '/api/paas/v4/layout_parsing' })
    expect(sent?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(sent?.body.length),
    })
    expect(sent?.headers['transfer-encoding']).toBeUndefined()
    expect(JSON.parse(String(sent?.body))).toEqual({
      model: 'glm-ocr',
      file: `data:application/pdf;base64,${bytes.toString('base64')}`,
      return_crop_images: true,
      need_layout_visualization: false,
      start_page_id: 1,
      end_page_id: 3,
      request_id: 'request-1',
      user_id: 'user-1',
    })
  },
)

test('sends a URL unchanged, without unspecified fields', async () => {
  const { api, server, target } = await apiSetup()
  server.always({ body: empty })
  const parse = async (address: string): Promise<unknown> =>
    api.layout.parse(
      target({ modelPrefix: 'gen-' }),
      { source: { url: address } },
      { requestId: 'request-1' },
    )
  await parse(url.url)
  expect(JSON.parse(String(server.requests[0]?.body))).toEqual({
    model: 'gen-ocr',
    file: url.url,
    request_id: 'request-1',
  })
  await parse('http://example.org/a.png')
  for (const [bad, value] of [
    ['ftp://secret@example.org/a', 'ftp:'],
    ['file:///etc/passwd', 'file:'],
    ['data:image/png;base64,AAAA', 'data:'],
    ['example.org/a.pdf', 'url'],
    ['https://', 'https:'],
  ] as const)
    expect(await failureOf(parse(bad))).toMatchObject({
      code: 'INVALID_INPUT',
      params: { what: 'file', value },
    })
  expect(server.requests).toHaveLength(2)
})

test('parses a layout with boxes as sent, and its engine', async () => {
  const { api, server, target, calls } = await apiSetup()
  const body = JSON.stringify({
    id: 'l-1',
    created: 1,
    model: 'glm-ocr',
    request_id: 'told',
    md_results: '# Title',
    layout_details: [
      [
        { ...block, width: 800, height: 1000, native_label: 'doc_title' },
        { index: 1, label: 'seal', bbox_2d: [[0.1, '0.2', 0.3, 0.4]], content: 5 },
      ],
      [{ bbox_2d: [10, 20, 30, 20, 30, 40, 10, 40] }, { bbox_2d: [1, 2] }, { bbox_2d: null }],
    ],
    layout_visualization: ['https://example.org/1.png'],
    data_info: { num_pages: 2, pages: [{ width: 800, height: 1000 }, { width: '700' }] },
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    engine: 'an engine',
    notice: 'a notice',
  })
  server.queue({ body })
  const answer = await api.layout.parse(target(), { source: url }, {})
  const bare = { label: '', nativeLabel: null, content: '', width: null, height: null }
  expect(answer).toEqual({
    value: {
      id: 'l-1',
      model: 'glm-ocr',
      markdown: '# Title',
      pages: [
        [
          {
            index: 0,
            label: 'text',
            nativeLabel: 'doc_title',
            bbox: [1, 2, 3, 4],
            content: 'words',
            width: 800,
            height: 1000,
          },
          { ...bare, index: 1, label: 'seal', bbox: [0.1, 0.2, 0.3, 0.4], content: '5' },
        ],
        [
          { ...bare, index: 0, bbox: [10, 20, 30, 40] },
          { ...bare, index: 1, bbox: null },
          { ...bare, index: 2, bbox: null },
        ],
      ],
      visualisations: ['https://example.org/1.png'],
      pageCount: 2,
      pageSizes: [
        { width: 800, height: 1000 },
        { width: 700, height: 0 },
      ],
    },
    requestId: 'told',
    engine: 'an engine',
    notice: 'a notice',
    usage: { promptTokens: 1, completionTokens: 2, totalTokens: 3 },
    raw: { status: 200, contentType: '', body },
  })
  expect(calls).toMatchObject([{ operation: 'layout.parse', model: 'glm-ocr', totalTokens: 3 }])
})

test.each<[string, object, readonly number[]]>([
  ['a single block instead of a list', { layout_details: block }, [1]],
  ['one page that is not in a list', { layout_details: [block, block] }, [2]],
  [
    'a block for each page',
    { layout_details: [block, block], data_info: { num_pages: 2 } },
    [1, 1],
  ],
  ['pages with and without lists', { layout_details: [block, [block, block], []] }, [1, 2, 0]],
  ['pages nested one level deeper', { layout_details: [[[block, block]], [[block]]] }, [2, 1]],
  ['no details', { md_results: 'text' }, []],
  ['empty details', { layout_details: [] }, []],
])('parses %s', async (_, reply, blocks) => {
  const { api, server, target } = await apiSetup()
  server.queue({ body: JSON.stringify(reply) })
  const { value } = await api.layout.parse(target(), { source: url }, {})
  expect(value.pages.map((page) => page.length)).toEqual(blocks)
  expect(value).toMatchObject({ id: '', model: 'glm-ocr' })
})

test('accepts Markdown per page, images as objects, and sizes as a single object', async () => {
  const { api, server, target } = await apiSetup()
  server.queue({
    body: JSON.stringify({
      md_results: ['one', 'two'],
      layout_visualization: { url: 'https://example.org/1.png' },
      data_info: { pages: { width: 1, height: 2 } },
    }),
  })
  const { value } = await api.layout.parse(target(), { source: url }, {})
  expect(value).toMatchObject({
    markdown: 'one\n\ntwo',
    visualisations: ['https://example.org/1.png'],
    pageCount: 1,
    pageSizes: [{ width: 1, height: 2 }],
  })
})

test('parses a response of many megabytes, and rejects one that would block the app', async () => {
  const { api, server, target } = await apiSetup()
  const md = 'x'.repeat(15 * megabyte)
  server.queue({ body: JSON.stringify({ md_results: md }) })
  const { value } = await api.layout.parse(target(), { source: url }, {})
  expect(value.markdown.length).toBe(md.length)
  server.queue({ body: JSON.stringify({ md_results: `${md}${md}` }) })
  expect(await failureOf(api.layout.parse(target(), { source: url }, {}))).toMatchObject({
    code: 'MALFORMED_REPLY',
    params: { reason: 'too-large', limit: 16 * megabyte },
  })
})

test.each(['{}', '[]', '{"id":"l","model":"glm-ocr"}'])(
  'treats the response %s as malformed',
  async (body) => {
    const { api, server, target } = await apiSetup()
    server.queue({ body })
    expect(await failureOf(api.layout.parse(target(), { source: url }, {}))).toMatchObject({
      code: 'MALFORMED_REPLY',
      params: { reason: 'no-layout' },
    })
  },
)

test('reports failures, and retries transient ones completely', async () => {
  const { api, server, target, file } = await apiSetup()
  const source: LayoutSource = { file: file(1000, 'a.png'), mime: 'image/png', pages: null }
  server.queue(
    { body: '{"error":{"code":"1214","message":"x"}}' },
    { dropped: true },
    { status: 503 },
    { body: empty },
  )
  expect(await failureOf(api.layout.parse(target(), { source }, {}))).toMatchObject({
    code: 'INVALID_INPUT',
  })
  await api.layout.parse(target(), { source }, { requestId: 'request-1' })
  const [, first, second, third] = server.requests
  expect(server.requests).toHaveLength(4)
  expect(String(first?.body)).toContain('data:image/png;base64,c291bmRzb3VuZ')
  expect(second?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true)
  expect(third?.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true)
})

test('accepts sizes and pages at their limits and rejects one more', async () => {
  const { api, server, target, file } = await apiSetup()
  server.always({ body: empty })
  const real = file(10, 'a.bin')
  const parse = async (
    mime: 'application/pdf' | 'image/png' | 'image/jpeg',
    bytes: number,
    pages: number | null = null,
  ): Promise<unknown> =>
    api.layout.parse(target(), { source: { file: { ...real, bytes }, mime, pages } }, {})
  // A file that passes the limit is read, and is smaller than specified.
  const passes = { code: 'DAMAGED_FILE' }
  expect(await failureOf(parse('application/pdf', 50 * megabyte))).toMatchObject(passes)
  expect(await failureOf(parse('image/png', 10 * megabyte))).toMatchObject(passes)
  for (const [mime, maxBytes] of [
    ['application/pdf', 50 * megabyte],
    ['image/png', 10 * megabyte],
    ['image/jpeg', 10 * megabyte],
  ] as const)
    expect(await failureOf(parse(mime, maxBytes + 1))).toMatchObject({
      code: 'FILE_TOO_LARGE',
      params: { what: 'file', limit: maxBytes, value: maxBytes + 1, name: 'a.bin' },
    })
  expect(await failureOf(parse('application/pdf', 10, 101))).toMatchObject({
    code: 'LIMIT_EXCEEDED',
    params: { what: 'pages', limit: 100, value: 101 },
  })
  expect(await failureOf(parse('application/pdf', 0))).toMatchObject({ code: 'EMPTY_FILE' })
  expect(server.requests).toEqual([])
  await parse('application/pdf', 10, 100)

  const wide = target({}, { limits: limitsWith({ 'layout.pages': 200 }) })
  const source = { file: real, mime: 'application/pdf', pages: 150 } as const
  await api.layout.parse(wide, { source: { ...source, file: { ...real, bytes: 10 } } }, {})
  expect(server.requests).toHaveLength(2)
})

test('accepts page ranges only for PDFs, in order and within the document', async () => {
  const { api, server, target, file } = await apiSetup()
  server.always({ body: empty })
  const pdf: LayoutSource = { file: file(10, 'a.pdf'), mime: 'application/pdf', pages: 5 }
  const unknown: LayoutSource = { ...pdf, pages: null }
  const image: LayoutSource = { file: file(10, 'a.png'), mime: 'image/png', pages: null }
  const parse = async (source: LayoutSource, more: object): Promise<unknown> =>
    api.layout.parse(target(), { source, ...more }, {})
  await parse(pdf, { startPage: 1, endPage: 5 })
  await parse(pdf, { startPage: 5, endPage: 5 })
  await parse(unknown, { startPage: 900 })
  await parse(url, { endPage: 2 })
  const past: [object, object][] = [
    [{ startPage: 0 }, { what: 'start_page_id', limit: 1, value: 0 }],
    [{ endPage: 0 }, { what: 'end_page_id', limit: 1, value: 0 }],
    [{ startPage: 6 }, { what: 'start_page_id', limit: 5, value: 6 }],
    [{ endPage: 6 }, { what: 'end_page_id', limit: 5, value: 6 }],
    [
      { startPage: 3, endPage: 2 },
      { what: 'end_page_id', limit: 3, value: 2 },
    ],
  ]
  for (const [more, params] of past)
    expect(await failureOf(parse(pdf, more))).toMatchObject({ code: 'LIMIT_EXCEEDED', params })
  expect(await failureOf(parse(pdf, { startPage: 1.5 }))).toMatchObject({ code: 'INVALID_INPUT' })
  for (const more of [{ startPage: 1 }, { endPage: 1 }])
    expect(await failureOf(parse(image, more))).toMatchObject({ code: 'INVALID_INPUT' })
  for (const userId of ['u'.repeat(5), 'u'.repeat(129)])
    expect(await failureOf(parse(pdf, { userId }))).toMatchObject({ params: { what: 'user_id' } })
  for (const requestId of ['short', 'r'.repeat(65)])
    expect(
      await failureOf(api.layout.parse(target(), { source: pdf }, { requestId })),
    ).toMatchObject({ params: { what: 'request_id' } })
  expect(server.requests).toHaveLength(4)
})

test('reports a missing file', async () => {
  const { api, server, target, file } = await apiSetup()
  server.always({ body: empty })
  const source: LayoutSource = {
    file: { ...file(10), path: '/nonexistent/a.pdf' },
    mime: 'application/pdf',
    pages: 1,
  }
  expect(await failureOf(api.layout.parse(target(), { source }, {}))).toMatchObject({
    code: 'FILE_MISSING',
  })
})
