import { expect, test } from 'vitest'
import type { DocumentSlices } from '../../../src/main/provider-client/slices.ts'
import { apiSetup, failureOf } from './support.ts'

const reply = (value: unknown, status = 200) => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
const fine = { code: 200, message: 'ok', timestamp: 1_780_000_000_000 }
const request = { askedId: 'request-of-the-app', nodeId: 'node-1' }

const position = { x0: 10, x1: 200.5, top: 30, bottom: 44, page: 0, height: 842, width: 595 }
const slice = {
  document_id: 'd1',
  position,
  line: 3,
  sheet_name: '',
  text: 'Words',
}
const row = {
  document: { id: 'd1', name: 'a.pdf', url: 'https://d', dtype: 1 },
  slice_info: [slice],
  hide_positions: false,
  images: [{ text: '![1]', cos_url: 'https://p' }],
}
const expected: DocumentSlices = {
  document: { id: 'd1', name: 'a.pdf', url: 'https://d', dtype: 1 },
  slices: [{ documentId: 'd1', text: 'Words', position, line: 3, sheetName: null }],
  hidePositions: false,
  images: [{ text: '![1]', url: 'https://p' }],
}

async function read(data: unknown, envelope: object = fine) {
  const { api, server, target } = await apiSetup()
  server.queue(reply({ ...envelope, data }))
  return (await api.slices.positions(target(), request, {})).value
}

test('requests positions with only the two IDs, and allows a retry', async () => {
  const { api, server, target, calls } = await apiSetup()
  server.queue(
    { status: 503 },
    reply({ ...fine, data: { document_slices: [row], has_old_document: true } }),
  )
  const answer = await api.slices.positions(target(), request, { requestId: 'own-request-id' })
  expect(answer.value).toEqual({ documents: [expected], hasOldDocument: true })
  expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'POST /api/llm-application/open/v2/application/slice_info',
    'POST /api/llm-application/open/v2/application/slice_info',
  ])
  expect(server.requests.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual([
    { request_id: 'request-of-the-app', node_id: 'node-1' },
    { request_id: 'request-of-the-app', node_id: 'node-1' },
  ])
  expect(calls.map(({ operation, model }) => [operation, model])).toEqual([
    ['slices.positions', null],
    ['slices.positions', null],
  ])
})

test.each([
  ['numbers as text', Object.fromEntries(Object.entries(position).map(([k, v]) => [k, String(v)]))],
  ['JSON text', JSON.stringify(position)],
  ['a list of one', [position]],
])('parses a position of %s', async (_, sent) => {
  const info = [{ ...slice, position: sent, line: '3' }]
  const value = await read({ document_slices: [{ ...row, slice_info: info }] })
  expect(value).toEqual({ documents: [expected], hasOldDocument: false })
})

test.each([
  ['missing', undefined],
  ['null', null],
  ['empty', {}],
  ['without its page', { ...position, page: undefined }],
  ['without an edge', { ...position, x1: 'odd' }],
  ['without the page size', { ...position, width: null }],
])('ignores a position that is %s', async (_, sent) => {
  const info = [{ ...slice, position: sent, sheet_name: 'Sheet 1' }]
  const value = await read({ document_slices: [{ ...row, slice_info: info }] })
  expect(value.documents[0]?.slices).toEqual([
    { documentId: 'd1', text: 'Words', position: null, line: 3, sheetName: 'Sheet 1' },
  ])
})

test('accepts single objects as lists, and data as JSON text', async () => {
  const single = {
    ...row,
    slice_info: slice,
    images: { text: '![1]', cos_url: 'https://p' },
    hide_positions: 'false',
  }
  const data = { document_slices: single, has_old_document: 'true' }
  const value = { documents: [expected], hasOldDocument: true }
  expect(await read(data)).toEqual(value)
  expect(await read(JSON.stringify(data), { code: '200' })).toEqual(value)
})

test('reports hidden positions, and leaves missing fields empty', async () => {
  const value = await read({ document_slices: [{ hide_positions: true }, {}] })
  const bare = {
    document: { id: '', name: '', url: null, dtype: null },
    slices: [],
    hidePositions: false,
    images: [],
  }
  expect(value.documents).toEqual([{ ...bare, hidePositions: true }, bare])
  expect(await read({})).toEqual({ documents: [], hasOldDocument: false })
})

test('assigns a chunk without a document to the one that contains it', async () => {
  const info = [{ text: 'Words' }]
  const value = await read({ document_slices: [{ ...row, slice_info: info }] })
  expect(value.documents[0]?.slices[0]).toEqual({
    documentId: 'd1',
    text: 'Words',
    position: null,
    line: null,
    sheetName: null,
  })
})

test.each([
  [200, { ...fine }, 'MALFORMED_REPLY'],
  [200, { code: 10_404, message: 'none' }, 'SERVICE_FAILED'],
  [200, { code: '1214', message: 'node_id' }, 'INVALID_INPUT'],
  [400, { error: { code: '1214', message: 'node_id' } }, 'INVALID_INPUT'],
  [401, { code: 1000, message: 'key' }, 'KEY_REJECTED'],
])('maps status %i with %j to %s', async (status, body, code) => {
  const { api, server, target } = await apiSetup()
  server.always(reply(body, status))
  expect((await failureOf(api.slices.positions(target(), request, {}))).code).toBe(code)
})

test.each([
  ['request_id', { askedId: '' }],
  ['node_id', { nodeId: '' }],
])('rejects an empty %s before sending', async (what, more) => {
  const { api, server, target } = await apiSetup()
  const error = await failureOf(api.slices.positions(target(), { ...request, ...more }, {}))
  expect([error.code, error.params]).toEqual(['LIMIT_EXCEEDED', { what, limit: 1, value: 0 }])
  expect(server.requests).toEqual([])
})
