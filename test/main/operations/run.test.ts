import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { PDFDocument } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApi } from '../../../src/main/provider-client/index.ts'
import type { ServiceTarget } from '../../../src/main/provider-client/types.ts'
import type { Api } from '../../../src/main/provider-client/api.ts'
import { operations, type OperationName } from '../../../src/main/operations/index.ts'
import { countPdfPages } from '../../../src/main/platform/files/pdf-pages.ts'
import { inputFile } from '../../../src/main/operations/input-file.ts'
import type { OperationContext, OperationEvent } from '../../../src/main/operations/operation.ts'
import { limits } from '../../../src/shared/provider/limits.ts'
import { presets } from '../../../src/shared/provider/profiles.ts'
import { startScriptedServer, type ScriptedServer } from '../../fixtures/scripted-server.ts'
import { sineWav } from '../../fixtures/wav.ts'
import { goodInputs } from './inputs.ts'

let folder: string
let server: ScriptedServer
let api: Api
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lectern-operations-'))
  await writeFile(join(folder, 'sound.wav'), sineWav({ seconds: 1, hz: 440 }))
  await writeFile(join(folder, 'picture.png'), createCanvas(40, 30).toBuffer('image/png'))
  const pdf = await PDFDocument.create()
  for (let n = 0; n < 3; n++) pdf.addPage()
  await writeFile(join(folder, 'page.pdf'), await pdf.save())
  server = await startScriptedServer()
  api = createApi({
    clock: Date.now,
    ids: () => crypto.randomUUID(),
    record: () => undefined,
    proxyFor: async () => null,
    extraCa: async () => [],
  })
})
afterAll(async () => {
  await api.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

let events: OperationEvent[]
beforeEach(() => {
  events = []
})

function context(): OperationContext {
  const target: ServiceTarget = {
    accountId: 'a1',
    accountName: 'Scripted',
    baseUrl: server.url,
    key: 'scripted-key-0123456789',
    profile: presets.local,
    limits,
  }
  return {
    api,
    target,
    signal: new AbortController().signal,
    file: (reference) => inputFile(join(folder, reference), countPdfPages),
    output: async (name) => join(folder, `out-${name}`),
    onEvent: (event) => void events.push(event),
  }
}

const sse = (...list: readonly unknown[]): string =>
  list.map((each) => `data: ${typeof each === 'string' ? each : JSON.stringify(each)}\n\n`).join('')
const envelope = (data?: unknown): string =>
  JSON.stringify({ code: 200, message: 'ok', timestamp: 1, ...(data !== undefined && { data }) })
const response = JSON.stringify({
  id: 'resp-1',
  object: 'response',
  created_at: 1,
  model: 'gen-5',
  status: 'completed',
  output: [],
})
const base = { id: 'k1', name: 'Tea', embedding_id: 3 }
const paper = { id: 'd1', name: 'a.pdf', embedding_stat: 1 }
const infos = { successInfos: [{ documentId: 'd1', fileName: 'page' }], failedInfos: [] }
const slide = { role: 'assistant', content: [{ type: 'text', text: 'Tea' }] }
const pcm = Buffer.from([1, 0, 2, 0]).toString('base64')
const tone = sineWav({ seconds: 0.1, hz: 440 })
const vector = (index: number) => ({
  index,
  object: 'embedding',
  embedding: Array.from({ length: 256 }, () => 0.1),
})

/** For each operation: the expected request, the response to it, and a part of the expected result. */
const cases: Readonly<
  Record<OperationName, readonly [request: string, reply: string | Uint8Array, value: unknown]>
> = {
  'responses.create': ['POST /v1/responses', response, { id: 'resp-1' }],
  'responses.retrieve': ['GET /v1/responses/resp-1', response, { status: 'completed' }],
  'responses.inputItems': [
    'GET /v1/responses/resp-1/input_items',
    '{"object":"list","data":[{"id":"i1"}],"has_more":false}',
    { items: [{ id: 'i1' }] },
  ],
  'responses.delete': [
    'DELETE /v1/responses/resp-1',
    '{"id":"resp-1","deleted":true}',
    { deleted: true },
  ],
  'voices.clone': ['POST /paas/v4/voice/clone', '{"voice":"v1","file_id":"f2"}', { voice: 'v1' }],
  'voices.list': ['GET /paas/v4/voice/list', '{"voice_list":[{"voice":"v1"}]}', [{ voice: 'v1' }]],
  'voices.delete': ['POST /paas/v4/voice/delete', '{"voice":"voice-1"}', { voice: 'voice-1' }],
  'files.upload': [
    'POST /paas/v4/files',
    '{"id":"f1","object":"file","bytes":3,"filename":"sound","purpose":"voice-clone-input"}',
    { id: 'f1' },
  ],
  'files.list': [
    'GET /paas/v4/files',
    '{"object":"list","data":[{"id":"f1"}],"has_more":true}',
    { hasMore: true },
  ],
  'files.delete': [
    'DELETE /paas/v4/files/file-1',
    '{"id":"file-1","object":"file","deleted":true}',
    { deleted: true },
  ],
  'files.content': ['GET /paas/v4/files/file-1/content', 'some lines\n', { bytes: 11 }],
  'speech.create': ['POST /paas/v4/audio/speech', tone, { bytes: tone.length, format: 'wav' }],
  'speech.stream': [
    'POST /paas/v4/audio/speech',
    sse(
      { choices: [{ index: 0, delta: { content: pcm, return_sample_rate: 24_000 } }] },
      { choices: [{ index: 0, finish_reason: 'stop' }] },
      '[DONE]',
    ),
    { bytes: 4, format: 'pcm', sampleRate: 24_000 },
  ],
  'rerank.create': [
    'POST /paas/v4/rerank',
    '{"results":[{"index":1,"relevance_score":0.9}]}',
    [{ index: 1, score: 0.9, document: 'b' }],
  ],
  'agents.chat': [
    'POST /zrag/agent/chat',
    sse({ type: 'answer', data: 'So' }, { type: 'done', messageId: 'm1' }),
    { answer: 'So', complete: true },
  ],
  'slides.conversation': [
    'POST /v1/agents/conversation',
    JSON.stringify({ conversation_id: 'c1', agent_id: 'x', choices: [{ message: [slide] }] }),
    { conversationId: 'c1' },
  ],
  'slides.talk': [
    'POST /v1/agents',
    sse(
      { conversation_id: 'c1', choices: [{ index: 0, messages: [slide] }] },
      { conversation_id: 'c1', choices: [{ index: 1, finish_reason: 'stop', messages: [] }] },
      '[DONE]',
    ),
    { conversationId: 'c1' },
  ],
  'knowledge.create': [
    'POST /llm-application/open/knowledge',
    envelope({ id: 'k1' }),
    { id: 'k1' },
  ],
  'knowledge.get': ['GET /llm-application/open/knowledge/k1', envelope(base), { name: 'Tea' }],
  'knowledge.list': [
    'GET /llm-application/open/knowledge',
    envelope({ list: [base], total: 1 }),
    { total: 1 },
  ],
  'knowledge.capacity': [
    'GET /llm-application/open/knowledge/capacity',
    envelope({ used: { word_num: 1, length: 2 }, total: { word_num: 3, length: 4 } }),
    { used: { words: 1, bytes: 2 } },
  ],
  'knowledge.update': ['PUT /llm-application/open/knowledge/k1', envelope(), null],
  'knowledge.delete': ['DELETE /llm-application/open/knowledge/k1', envelope(), null],
  'knowledge.retrieve': [
    'POST /llm-application/open/knowledge/retrieve',
    envelope([{ text: 'Tea', score: 0.5, metadata: { _id: 's1' } }]),
    [{ text: 'Tea', sliceId: 's1' }],
  ],
  'documents.upload': [
    'POST /llm-application/open/document/upload_document/k1',
    envelope(infos),
    { accepted: [{ documentId: 'd1' }] },
  ],
  'documents.uploadUrls': [
    'POST /llm-application/open/document/upload_url',
    envelope({ successInfos: [], failedInfos: [{ url: 'u', failReason: 'no' }] }),
    { refused: [{ reason: 'no' }] },
  ],
  'documents.list': [
    'GET /llm-application/open/document',
    envelope({ list: [paper], total: 1 }),
    { total: 1 },
  ],
  'documents.get': ['GET /llm-application/open/document/d1', envelope(paper), { state: 'done' }],
  'documents.delete': ['DELETE /llm-application/open/document/d1', envelope(), null],
  'documents.embed': ['POST /llm-application/open/document/embedding/d1', envelope(), null],
  'documents.images': [
    'POST /llm-application/open/document/slice/image_list/d1',
    envelope({ images: [{ text: 't', cos_url: 'u' }] }),
    [{ text: 't', url: 'u' }],
  ],
  'slices.positions': [
    'POST /llm-application/open/v2/application/slice_info',
    envelope({ document_slices: [], has_old_document: true }),
    { hasOldDocument: true },
  ],
  'embeddings.create': [
    'POST /paas/v4/embeddings',
    JSON.stringify({ model: 'embedding-3', data: [vector(0), vector(1)] }),
    { model: 'embedding-3' },
  ],
  'embeddings.createMany': [
    'POST /paas/v4/embeddings',
    JSON.stringify({ model: 'embedding-3', data: [vector(0), vector(1)] }),
    { model: 'embedding-3' },
  ],
  'transcriptions.create': [
    'POST /paas/v4/audio/transcriptions',
    sse(
      { type: 'transcript.text.delta', delta: 'Hello' },
      { type: 'transcript.text.done', text: 'Hello' },
      '[DONE]',
    ),
    { text: 'Hello', noSpeech: false },
  ],
  'tasks.create': [
    'POST /paas/v4/async/images/generations',
    '{"id":"t1","task_status":"PROCESSING"}',
    { id: 't1', state: 'processing' },
  ],
  'tasks.get': [
    'GET /paas/v4/async-result/t1',
    '{"task_status":"SUCCESS","image_result":[{"url":"u"}]}',
    { state: 'succeeded', images: [{ url: 'u' }] },
  ],
  'tasks.wait': [
    'GET /paas/v4/async-result/t1',
    '{"task_status":"SUCCESS","image_result":[{"url":"u"}]}',
    { state: 'succeeded' },
  ],
  'assistants.chat': [
    'POST /paas/v4/assistant',
    sse(
      {
        conversation_id: 'c1',
        status: 'completed',
        choices: [
          {
            index: 0,
            delta: { type: 'content', role: 'assistant', content: 'Hi' },
            finish_reason: 'stop',
          },
        ],
      },
      '[DONE]',
    ),
    { text: 'Hi', conversationId: 'c1' },
  ],
  'assistants.list': [
    'POST /paas/v4/assistant/list',
    '{"success":true,"code":200,"msg":"","data":[{"assistant_id":"x","name":"X"}]}',
    [{ id: 'x' }],
  ],
  'assistants.conversations': [
    'POST /paas/v4/assistant/conversation/list',
    '{"success":true,"code":200,"msg":"","data":{"conversation_list":[{"id":"c1"}],"has_more":false}}',
    { hasMore: false },
  ],
  'layout.parse': [
    'POST /paas/v4/layout_parsing',
    '{"id":"l1","created":1,"model":"gen-ocr","md_results":"# Tea","layout_details":[[]]}',
    { markdown: '# Tea' },
  ],
  'connection.check': ['GET /paas/v4/voice/list', '{"voice_list":[]}', {}],
}

test.each(Object.keys(cases) as OperationName[])(
  '%s sends its request and reads its response',
  async (name) => {
    const [request, reply, value] = cases[name]
    server.always({ body: reply })
    const from = server.requests.length
    const answer = await operations[name].run(context(), goodInputs[name])
    const made = server.requests
      .slice(from)
      .map(({ method, url }) => `${method} ${url.split('?')[0]}`)
    expect(made).toEqual([request])
    if (value === null) expect(answer.value).toBeNull()
    else if (Array.isArray(value))
      expect(answer.value).toEqual(value.map((each: object) => expect.objectContaining(each)))
    else expect(answer.value).toMatchObject(value as object)
    expect(JSON.parse(JSON.stringify(answer.value))).toEqual(answer.value)
    expect(typeof answer.raw.body).toBe('string')
    // Only an operation marked as streaming emits events.
    expect(events.length > 0, 'events').toBe(operations[name].streams)
    expect(JSON.parse(JSON.stringify(events))).toEqual(events)
    const { writes } = operations[name]
    if (writes !== null)
      expect((await readFile(join(folder, `out-${writes}`))).length).toBeGreaterThan(0)
  },
)

test('emits many vectors in batches of numbers, and their responses as received', async () => {
  const bodies: string[] = []
  server.always({ body: JSON.stringify({ data: [vector(0), vector(1)] }) })
  const { value, raw } = await operations['embeddings.createMany'].run(
    { ...context(), onRaw: ({ body }) => void bodies.push(body) },
    goodInputs['embeddings.createMany'],
  )
  // As in the response.
  const numbers = Array.from({ length: 256 }, () => 0.1)
  expect(events).toEqual([{ type: 'batch', start: 0, vectors: [numbers, numbers] }])
  expect(value).toEqual({ model: 'embedding-3', count: 2, dimensions: 256 })
  expect(bodies).toEqual([JSON.stringify({ data: [vector(0), vector(1)] })])
  expect(JSON.parse(raw.body)).toEqual({ batches: [{ start: 0, count: 2 }] })
})

test('sends images of a question as data URIs after the text of the last message', async () => {
  server.always({ body: sse({ type: 'done', messageId: 'm1', data: 'A cup' }) })
  await operations['agents.chat'].run(context(), {
    messages: ['What is this?'],
    images: ['picture.png'],
    retrieval: { knowledgeIds: ['k1'] },
  })
  const sent = JSON.parse(server.requests.at(-1)?.body.toString() ?? '') as {
    messages: { content: { type: string; image_url?: { url: string } }[] }[]
  }
  const [words, image] = sent.messages[0]?.content ?? []
  expect(words).toEqual({ type: 'text', text: 'What is this?' })
  expect(image?.image_url?.url).toMatch(/^data:image\/png;base64,iVBOR/)
})

test('refuses images over the total limit before any is read or sent', async () => {
  const image = createCanvas(40, 30).toBuffer('image/png')
  const limit = 20 * 1024 * 1024
  // A PNG followed by zeros (sparse): as large as its limit allows, without using disk space.
  const names = ['big-1.png', 'big-2.png', 'big-3.png']
  for (const name of names) await writeFile(join(folder, name), image)
  for (const name of names.slice(0, 2)) await truncate(join(folder, name), limit / 2 - 1)
  const ask = (images: readonly string[]) =>
    operations['agents.chat'].run(context(), {
      messages: ['What is this?'],
      images,
      retrieval: { knowledgeIds: ['k1'] },
    })
  const from = server.requests.length
  await expect(ask(names)).rejects.toMatchObject({
    code: 'FILE_TOO_LARGE',
    params: { what: 'images', limit, value: limit - 2 + image.length },
  })
  expect(server.requests).toHaveLength(from)
  server.always({ body: sse({ type: 'done', messageId: 'm1', data: 'Cups' }) })
  await ask(names.slice(0, 2))
  const [, one] = server.requests.at(-1)?.body.toString().split('base64,') ?? []
  const expected = Buffer.concat([image, Buffer.alloc(limit / 2 - 1 - image.length)])
  expect(one?.startsWith(expected.toString('base64'))).toBe(true)
})

test('detects file types by content, and counts the pages of a PDF', async () => {
  const page = await inputFile(join(folder, 'page.pdf'), countPdfPages, 'report.txt')
  expect(page).toMatchObject({ kind: 'pdf', mime: 'application/pdf', name: 'report.txt' })
  expect(await page.pages()).toBe(3)
  expect(await (await inputFile(join(folder, 'picture.png'), countPdfPages)).pages()).toBeNull()
  await writeFile(join(folder, 'broken.pdf'), '%PDF-1.7\nand nothing else')
  expect(await (await inputFile(join(folder, 'broken.pdf'), countPdfPages)).pages()).toBeNull()
  await expect(inputFile(join(folder, 'nowhere'), countPdfPages)).rejects.toMatchObject({
    code: 'FILE_MISSING',
  })
  await expect(inputFile(folder, countPdfPages)).rejects.toMatchObject({ code: 'FILE_MISSING' })
})

test('rejects audio as a document, and an image as audio', async () => {
  const parse = operations['layout.parse'].run(context(), { file: 'sound.wav' })
  await expect(parse).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT', params: { kind: 'wav' } })
  const transcription = operations['transcriptions.create'].run(context(), { file: 'picture.png' })
  await expect(transcription).rejects.toMatchObject({ code: 'UNSUPPORTED_FORMAT' })
  const both = operations['layout.parse'].run(context(), { file: 'page.pdf', url: 'https://a.b/c' })
  await expect(both).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})
