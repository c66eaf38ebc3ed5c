import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { DocumentsApi } from '../../../src/main/provider-client/documents.ts'
import type { KnowledgeDocument } from '../../../src/main/provider-client/document-replies.ts'
import { wireDefaults } from '../../../src/shared/provider/profiles.ts'
import { apiSetup, failureOf } from './support.ts'

const json = { 'content-type': 'application/json' }
const reply = (value: unknown, status = 200) => ({
  status,
  headers: json,
  body: JSON.stringify(value),
})
const fine = { code: 200, message: 'ok', timestamp: 1_780_000_000_000 }
const nothing = { successInfos: [], failedInfos: [] }
const root = '/api/llm-application/open/document'

type Upload = Parameters<DocumentsApi['upload']>[1]
type Urls = Parameters<DocumentsApi['uploadUrls']>[1]

test('streams an upload of many files from disk, fields first, each separator once', async () => {
  const { api, server, target, file, calls } = await apiSetup()
  server.queue(
    reply({
      ...fine,
      data: {
        successInfos: [{ documentId: 'd1', fileName: 'a.pdf' }],
        failedInfos: [{ fileName: '笔记.md', failReason: 'too long' }],
      },
    }),
  )
  const files = [
    { ...file(300_000, 'a.pdf'), mime: 'application/pdf' },
    { ...file(5, '笔记.md'), mime: 'text/markdown' },
  ]
  const request: Upload = {
    knowledgeId: 'kb/1',
    files,
    knowledgeType: 5,
    separators: ['\n\n', '。'],
    sentenceSize: 300,
    parseImages: true,
    wordLimit: 1_000_000,
  }
  const answer = await api.documents.upload(target(), request, { requestId: 'request-1' })
  expect(answer.value).toEqual({
    accepted: [{ documentId: 'd1', name: 'a.pdf' }],
    refused: [{ name: '笔记.md', reason: 'too long' }],
  })
  const [sent] = server.requests
  expect([sent?.method, sent?.url]).toEqual(['POST', `${root}/upload_document/kb%2F1`])
  const type = String(sent?.headers['content-type'])
  const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(type)?.[1]
  const part = (head: string, value: string | Buffer): Buffer =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ])
  const content = (index: number): Buffer => readFileSync(String(files[index]?.path))
  const whole = Buffer.concat([
    part('name="knowledge_type"', '5'),
    part('name="custom_separator"', '\n\n'),
    part('name="custom_separator"', '。'),
    part('name="sentence_size"', '300'),
    part('name="parse_image"', 'true'),
    part('name="word_num_limit"', '1000000'),
    part('name="req_id"', 'request-1'),
    part('name="files"; filename="a.pdf"\r\nContent-Type: application/pdf', content(0)),
    part('name="files"; filename="笔记.md"\r\nContent-Type: text/markdown', content(1)),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  expect(sent?.body.equals(whole)).toBe(true)
  expect(sent?.headers['content-length']).toBe(String(whole.length))
  expect(calls[0]).toMatchObject({ operation: 'documents.upload', bytesSent: whole.length })
})

test('sends the type and no other field that was not specified', async () => {
  const { api, server, target, file } = await apiSetup()
  server.queue(reply({ ...fine, data: nothing }))
  await api.documents.upload(
    target(),
    { knowledgeId: 'kb', files: [file(3)], knowledgeType: 1, parseImages: false },
    {},
  )
  const names = [...String(server.requests[0]?.body).matchAll(/; name="([^"]+)"/g)]
  expect(names.map(([, name]) => name)).toEqual([
    'knowledge_type',
    'parse_image',
    'req_id',
    'files',
  ])
  expect(String(server.requests[0]?.body)).toContain('name="parse_image"\r\n\r\nfalse\r\n')
})

test('sends rules for each URL of an upload', async () => {
  const { api, server, target } = await apiSetup()
  server.queue(
    reply({
      ...fine,
      data: {
        successInfos: [{ documentId: 7, url: 'https://a/1' }],
        failedInfos: { url: 'https://a/2', failReason: 'unreachable' },
      },
    }),
  )
  const urls: Urls['urls'] = [
    { url: 'https://a/1', knowledgeType: 1 },
    { url: 'https://a/2', knowledgeType: 5, separators: ['\n'], sentenceSize: 20 },
  ]
  const { value } = await api.documents.uploadUrls(target(), { knowledgeId: 'kb', urls }, {})
  expect(value).toEqual({
    accepted: [{ documentId: '7', name: 'https://a/1' }],
    refused: [{ name: 'https://a/2', reason: 'unreachable' }],
  })
  const [sent] = server.requests
  expect([sent?.method, sent?.url]).toEqual(['POST', `${root}/upload_url`])
  expect(JSON.parse(String(sent?.body))).toEqual({
    knowledge_id: 'kb',
    upload_detail: [
      { url: 'https://a/1', knowledge_type: 1 },
      { url: 'https://a/2', knowledge_type: 5, custom_separator: ['\n'], sentence_size: 20 },
    ],
  })
})

test.each([
  ['failReason', { failReason: 'no' }, 'no'],
  ['failInfo as text', { failInfo: 'no' }, 'no'],
  ['failInfo as an object', { failInfo: { embedding_code: 10_002, embedding_msg: 'no' } }, 'no'],
  ['failInfo as JSON text', { failInfo: '{"embedding_msg":"no"}' }, 'no'],
  ['nothing', {}, ''],
])('reports the reason of a refused file from %s', async (_, row, reason) => {
  const { api, server, target, file } = await apiSetup()
  server.queue(reply({ ...fine, data: { failedInfos: [{ fileName: 'a', ...row }] } }))
  const request: Upload = { knowledgeId: 'kb', files: [file(3)], knowledgeType: 1 }
  expect((await api.documents.upload(target(), request, {})).value).toEqual({
    accepted: [],
    refused: [{ name: 'a', reason }],
  })
})

test('never retries sent requests that create something', async () => {
  const { api, server, target, file } = await apiSetup()
  const calls = [
    () =>
      api.documents.upload(target(), { knowledgeId: 'kb', files: [file(3)], knowledgeType: 1 }, {}),
    () =>
      api.documents.uploadUrls(
        target(),
        { knowledgeId: 'kb', urls: [{ url: 'https://a', knowledgeType: 1 }] },
        {},
      ),
    () => api.documents.embed(target(), { id: 'd1' }, {}),
  ]
  for (const call of calls)
    for (const answer of [{ status: 503 }, { status: 429 }, { dropped: true as const }]) {
      server.queue(answer)
      const before = server.requests.length
      await failureOf(call())
      expect(server.requests.length).toBe(before + 1)
    }
})

test('treats an upload without a result as malformed, and reports a failure inside', async () => {
  const { api, server, target, file } = await apiSetup()
  const request: Upload = { knowledgeId: 'kb', files: [file(3)], knowledgeType: 1 }
  server.queue(reply(fine), reply({ code: '1220', message: 'no right' }))
  const [unread, refused] = [
    await failureOf(api.documents.upload(target(), request, {})),
    await failureOf(api.documents.upload(target(), request, {})),
  ]
  expect([unread.code, unread.params]).toEqual(['MALFORMED_REPLY', { reason: 'no-outcome' }])
  expect([refused.code, refused.service?.message]).toEqual(['PERMISSION_DENIED', 'no right'])
})

test('reports a file that changed or disappeared', async () => {
  const { api, server, target, file } = await apiSetup()
  server.always(reply({ ...fine, data: nothing }))
  const upload = (one: Upload['files'][number]) =>
    failureOf(
      api.documents.upload(target(), { knowledgeId: 'kb', files: [one], knowledgeType: 1 }, {}),
    )
  const good = file(10, 'a.txt')
  expect((await upload({ ...good, bytes: 11 })).code).toBe('DAMAGED_FILE')
  expect((await upload({ ...good, path: `${good.path}.gone` })).code).toBe('FILE_MISSING')
})

const document: KnowledgeDocument = {
  id: 'd1',
  name: 'a.pdf',
  url: 'https://d',
  knowledgeType: 5,
  separators: ['\n'],
  sentenceSize: 300,
  length: 1000,
  wordNum: 200,
  state: 'done',
  failure: null,
}
const row = {
  id: 'd1',
  name: 'a.pdf',
  url: 'https://d',
  knowledge_type: 5,
  custom_separator: ['\n'],
  sentence_size: 300,
  length: 1000,
  word_num: 200,
  embedding_stat: 1,
  failInfo: null,
}

test.each([
  ['numbers', row],
  [
    'text',
    {
      ...row,
      knowledge_type: '5',
      sentence_size: '300',
      length: '1000',
      word_num: '200',
      embedding_stat: '1',
    },
  ],
  ['a single separator', { ...row, custom_separator: '\n' }],
  ['JSON text', JSON.stringify(row)],
  ['a list of one', [row]],
])('parses a document in %s', async (_, data) => {
  const { api, server, target } = await apiSetup()
  server.queue(reply({ ...fine, data }))
  expect((await api.documents.get(target(), { id: 'd1' }, {})).value).toEqual(document)
  expect([server.requests[0]?.method, server.requests[0]?.url]).toEqual(['GET', `${root}/d1`])
})

test.each([
  [0, 'running'],
  [1, 'done'],
  [2, 'failed'],
  [3, 'unknown'],
  [-1, 'unknown'],
  [0.5, 'unknown'],
  ['2', 'failed'],
  [undefined, 'unknown'],
])('parses embedding_stat %j as %s', async (embedding_stat, state) => {
  const { api, server, target } = await apiSetup()
  server.queue(reply({ ...fine, data: { id: 'd1', embedding_stat } }))
  expect((await api.documents.get(target(), { id: 'd1' }, {})).value.state).toBe(state)
})

test.each([
  ['an object', { embedding_code: 10_002, embedding_msg: 'Too many words' }, 10_002],
  ['JSON text', '{"embedding_code":"10002","embedding_msg":"Too many words"}', 10_002],
  ['an object with alternative names', { code: 10_002, message: 'Too many words' }, 10_002],
  ['text', 'Too many words', null],
])('parses failInfo as %s', async (_, failInfo, code) => {
  const { api, server, target } = await apiSetup()
  server.queue(reply({ ...fine, data: { id: 'd1', embedding_stat: 2, failInfo } }))
  const { value } = await api.documents.get(target(), { id: 'd1' }, {})
  expect([value.state, value.failure]).toEqual(['failed', { code, message: 'Too many words' }])
})

test.each([[{}], [''], [null], [{ embedding_code: null, embedding_msg: null }]])(
  'treats failInfo %j as no failure',
  async (failInfo) => {
    const { api, server, target } = await apiSetup()
    server.queue(reply({ ...fine, data: { failInfo } }))
    const { value } = await api.documents.get(target(), { id: 'd9' }, {})
    expect([value.id, value.failure]).toEqual(['d9', null])
  },
)

test('treats a response without a document as malformed', async () => {
  const { api, server, target } = await apiSetup()
  server.queue(reply(fine))
  const error = await failureOf(api.documents.get(target(), { id: 'd1' }, {}))
  expect([error.code, error.params]).toEqual(['MALFORMED_REPLY', { reason: 'no-data' }])
})

test('lists by knowledge base, page and word, with the field names of the profile', async () => {
  const { api, server, target } = await apiSetup()
  server.always(reply({ ...fine, data: { list: row, total: '31' } }))
  const { value } = await api.documents.list(target(), { knowledgeId: 'kb 1' }, {})
  expect(value).toEqual({ documents: [document], total: 31 })
  const wire = { ...wireDefaults, page: 'p', pageSize: 'n' }
  await api.documents.list(
    target({ wire }),
    { knowledgeId: 'kb', page: 2, size: 100, word: '论文' },
    {},
  )
  await api.documents.list(target(), { knowledgeId: 'kb', word: '' }, {})
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    `GET ${root}?knowledge_id=kb+1`,
    `GET ${root}?knowledge_id=kb&p=2&n=100&word=${encodeURIComponent('论文')}`,
    `GET ${root}?knowledge_id=kb`,
  ])
})

test('puts the document in the path for deleting, embedding again and images', async () => {
  const { api, server, target } = await apiSetup()
  server.queue(reply(fine), reply(fine))
  server.queue(
    reply({ ...fine, data: { images: [{ text: '![1]', cos_url: 'https://p' }, { text: 'x' }] } }),
  )
  expect((await api.documents.delete(target(), { id: 'd/1' }, {})).value).toBeNull()
  expect((await api.documents.embed(target(), { id: 'd/1' }, {})).value).toBeNull()
  const images = await api.documents.images(target(), { id: 'd/1' }, {})
  expect(images.value).toEqual([{ text: '![1]', url: 'https://p' }])
  expect(server.requests.map(({ method, url, body }) => [method, url, String(body)])).toEqual([
    ['DELETE', `${root}/d%2F1`, ''],
    ['POST', `${root}/embedding/d%2F1`, '{}'],
    ['POST', `${root}/slice/image_list/d%2F1`, '{}'],
  ])
})

test.each([
  ['a single object', { images: { text: 'a', cos_url: 'https://p' } }, 1],
  ['a bare list', [{ url: 'https://p', text: 'a' }], 1],
  ['none', { images: null }, 0],
  ['no data', null, 0],
])('parses images as %s', async (_, data, count) => {
  const { api, server, target } = await apiSetup()
  server.queue(reply({ ...fine, data }))
  const { value } = await api.documents.images(target(), { id: 'd1' }, {})
  expect(value).toEqual(Array.from({ length: count }, () => ({ text: 'a', url: 'https://p' })))
})

test.each(['', '.', '..'])('never lets the ID %j become another path', async (id) => {
  const { api, server, target, file } = await apiSetup()
  const { documents } = api
  const errors = [
    await failureOf(documents.get(target(), { id }, {})),
    await failureOf(documents.delete(target(), { id }, {})),
    await failureOf(documents.embed(target(), { id }, {})),
    await failureOf(documents.images(target(), { id }, {})),
    await failureOf(
      documents.upload(target(), { knowledgeId: id, files: [file(3)], knowledgeType: 1 }, {}),
    ),
  ]
  expect(errors.map(({ code }) => code)).toEqual(errors.map(() => 'INVALID_INPUT'))
  expect(server.requests).toEqual([])
})

test.each([
  ['knowledge_type', 'INVALID_INPUT', { knowledgeType: 4 }, { value: 4 }],
  ['sentence_size', 'LIMIT_EXCEEDED', { sentenceSize: 19 }, { limit: 20, value: 19 }],
  ['sentence_size', 'LIMIT_EXCEEDED', { sentenceSize: 2001 }, { limit: 2000, value: 2001 }],
  ['sentence_size', 'INVALID_INPUT', { sentenceSize: 20.5 }, { value: '20.5' }],
  ['custom_separator', 'LIMIT_EXCEEDED', { separators: ['a', ''] }, { limit: 1, value: 0 }],
])('rejects rules with an invalid %s before sending (%s)', async (what, code, rules, params) => {
  const { api, server, target, file } = await apiSetup()
  const wrong = { knowledgeType: 5, ...rules } as Pick<Upload, 'knowledgeType'>
  const errors = [
    await failureOf(
      api.documents.upload(target(), { knowledgeId: 'kb', files: [file(3)], ...wrong }, {}),
    ),
    await failureOf(
      api.documents.uploadUrls(
        target(),
        { knowledgeId: 'kb', urls: [{ url: 'https://a', ...wrong }] },
        {},
      ),
    ),
  ]
  for (const error of errors)
    expect([error.code, error.params]).toEqual([code, { what, ...params }])
  expect(server.requests).toEqual([])
})

test('rejects empty uploads before sending', async () => {
  const { api, server, target, file } = await apiSetup()
  const upload = (more: Partial<Upload>) =>
    failureOf(
      api.documents.upload(
        target(),
        { knowledgeId: 'kb', files: [file(3)], knowledgeType: 1, ...more },
        {},
      ),
    )
  const byUrl = (more: Partial<Urls>) =>
    failureOf(
      api.documents.uploadUrls(
        target(),
        { knowledgeId: 'kb', urls: [{ url: 'https://a', knowledgeType: 1 }], ...more },
        {},
      ),
    )
  const errors = [
    await upload({ files: [] }),
    await upload({ files: [file(3), file(0, 'empty.md')] }),
    await upload({ wordLimit: 0 }),
    await upload({ wordLimit: 1.5 }),
    await byUrl({ urls: [] }),
    await byUrl({ knowledgeId: '' }),
    await byUrl({ urls: [{ url: 'file:///etc/hosts', knowledgeType: 1 }] }),
    await failureOf(api.documents.list(target(), { knowledgeId: '' }, {})),
    await failureOf(api.documents.list(target(), { knowledgeId: 'kb', size: 101 }, {})),
    await failureOf(api.documents.list(target(), { knowledgeId: 'kb', page: 0 }, {})),
  ]
  expect(errors.map(({ code, params }) => [code, params])).toEqual([
    ['LIMIT_EXCEEDED', { what: 'files', limit: 1, value: 0 }],
    ['EMPTY_FILE', { name: 'empty.md' }],
    ['LIMIT_EXCEEDED', { what: 'word_num_limit', limit: 1, value: 0 }],
    ['INVALID_INPUT', { what: 'word_num_limit', value: '1.5' }],
    ['LIMIT_EXCEEDED', { what: 'upload_detail', limit: 1, value: 0 }],
    ['LIMIT_EXCEEDED', { what: 'knowledge_id', limit: 1, value: 0 }],
    ['INVALID_INPUT', { what: 'url', value: 'file:///etc/hosts' }],
    ['LIMIT_EXCEEDED', { what: 'knowledge_id', limit: 1, value: 0 }],
    ['LIMIT_EXCEEDED', { what: 'size', limit: 100, value: 101 }],
    ['LIMIT_EXCEEDED', { what: 'page', limit: 1, value: 0 }],
  ])
  expect(server.requests).toEqual([])
})

test.each([
  ['sentenceSize', 20],
  ['sentenceSize', 2000],
  ['wordLimit', 1],
])('sends %s of %i', async (name, value) => {
  const { api, server, target, file } = await apiSetup()
  server.queue(reply({ ...fine, data: nothing }))
  const request = { knowledgeId: 'kb', files: [file(3)], knowledgeType: 5, [name]: value } as const
  await api.documents.upload(target(), request, {})
  expect(String(server.requests[0]?.body)).toContain(`\r\n\r\n${value}\r\n`)
})
