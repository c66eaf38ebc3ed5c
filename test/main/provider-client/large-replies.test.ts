import { expect, test } from 'vitest'
import { defaultJsonValues } from '../../../src/main/provider-client/json.ts'
import {
  createSlidesReader,
  readSlidesConversation,
} from '../../../src/main/provider-client/slides-events.ts'
import { slideFiles } from '../../../src/main/domains/playground/service/remote-items/slides.ts'
import { apiSetup, failureOf } from './support.ts'

const list = (count: number, one: (at: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, at) => one(at))

test('rejects a list with too many rows before storing them', async () => {
  const { api, server, target } = await apiSetup()
  const to = target()
  const refused = async (body: unknown, call: () => Promise<unknown>): Promise<unknown> => {
    server.always({ body: JSON.stringify(body) })
    return (await failureOf(call())).params?.['reason']
  }
  const data = (rows: unknown) => ({ code: 200, data: rows })
  const video = (at: number) => ({ url: `https://files.example/${at}.mp4` })
  const retrieval = { query: 'q', knowledgeIds: ['b'] }
  const slice = { request_id: 'r', slice_info: list(5_001, () => ({ text: 't' })) }
  expect([
    await refused({ voice_list: list(10_001, (at) => ({ voice: `v${at}` })) }, () =>
      api.voices.list(to, {}, {}),
    ),
    await refused(data({ list: list(10_001, (id) => ({ id })), total: 1 }), () =>
      api.knowledge.list(to, { page: 1 }, {}),
    ),
    await refused(data(list(10_001, (id) => ({ id }))), () =>
      api.documents.list(to, { knowledgeId: 'b' }, {}),
    ),
    await refused(data(list(1_001, () => ({ text: 't' }))), () =>
      api.knowledge.retrieve(to, retrieval, {}),
    ),
    await refused(data(list(1_001, (at) => ({ url: `https://files.example/${at}` }))), () =>
      api.documents.images(to, { id: 'd' }, {}),
    ),
    await refused(data({ document_slices: [slice] }), () =>
      api.slices.positions(to, { askedId: 'r', nodeId: 'n' }, {}),
    ),
    await refused({ task_status: 'SUCCESS', video_result: list(201, video) }, () =>
      api.tasks.get(to, { id: 't' }, {}),
    ),
  ]).toEqual(Array.from({ length: 7 }, () => 'too-many'))
  const page = (at: number) => ({ type: 'file', image_url: `https://files.example/${at}.png` })
  const talk = { conversation_id: 'c', choices: [{ messages: [{ content: list(2_001, page) }] }] }
  const names = { conversationId: 'c', agentId: '' }
  expect(() => slideFiles(readSlidesConversation(talk, names))).toThrow(
    'not in the expected format',
  )
})

test('does not parse unexpectedly large responses on the main thread', async () => {
  const { api, server, target } = await apiSetup()
  server.always({ body: `{"voice_list":[],"more":[${'0,'.repeat(defaultJsonValues)}0]}` })
  expect((await failureOf(api.voices.list(target(), {}, {}))).code).toBe('MALFORMED_REPLY')
  // The vectors of a whole request are expected.
  const row = (index: number) => ({ index, embedding: list(2048, () => 0) })
  server.always({ body: JSON.stringify({ data: list(120, row) }) })
  const items = { ...target(), limits: { ...target().limits } }
  items.limits.embeddings = { ...items.limits.embeddings, items: 120 }
  const input = list(120, (at) => `text ${at}`) as string[]
  const request = { model: 'embedding-3', input, dimensions: 2048 } as const
  expect((await api.embeddings.create(items, request, {})).value.vectors).toHaveLength(120)
})

test('does not report invalid counts', async () => {
  const { api, server, target } = await apiSetup()
  server.always({
    body: '{"code":200,"data":{"used":{"word_num":1e308,"length":-1},"total":{"word_num":1.5,"length":"12"}}}',
  })
  const { value } = await api.knowledge.capacity(target(), {}, {})
  expect(value).toEqual({ used: { words: 0, bytes: 0 }, total: { words: 0, bytes: 12 } })
  server.always({
    body: '{"code":200,"data":{"id":"b","document_size":0.5,"length":-3,"word_num":9e15}}',
  })
  const base = (await api.knowledge.get(target(), { id: 'b' }, {})).value
  expect([base.documentSize, base.length, base.wordNum]).toEqual([null, null, 9e15])
})

test('aborts an endless slides chat', () => {
  const names = { conversationId: 'c', agentId: '' }
  const chunk = { choices: [{ messages: [{ content: { type: 'text', text: 'x' } }] }] }
  const reader = createSlidesReader(names, () => undefined)
  expect(() => {
    for (let n = 0; n < 60_000; n++) reader.take(chunk, undefined)
  }).toThrow('not in the expected format')
  const whole = { choices: list(50_001, () => chunk.choices[0]) }
  expect(() => readSlidesConversation(whole, names)).toThrow('not in the expected format')
})

test('truncates a name of megabytes in lists', async () => {
  const { api, server, target } = await apiSetup()
  const name = '好'.repeat(3_000_000)
  server.always({ body: JSON.stringify({ voice_list: [{ voice: 'v', voice_name: name }] }) })
  const [voice] = (await api.voices.list(target(), {}, {})).value
  expect([voice?.voice, voice?.name]).toEqual(['v', '好'.repeat(1000)])
  server.always({ body: JSON.stringify({ code: 200, data: [{ id: 'x', name }] }) })
  const [base] = (await api.knowledge.list(target(), {}, {})).value.bases
  const [document] = (await api.documents.list(target(), { knowledgeId: 'b' }, {})).value.documents
  expect([base?.name.length, document?.name.length]).toEqual([1000, 1000])
})
