import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '../../../src/main/provider-client/index.ts'
import type { ServiceTarget } from '../../../src/main/provider-client/types.ts'
import type { Api } from '../../../src/main/provider-client/api.ts'
import { limits } from '../../../src/shared/provider/limits.ts'
import { localAccountId, presets } from '../../../src/shared/provider/profiles.ts'
import { startTestService } from '../../local-service/fixtures/service.ts'
import type { TestService } from '../../local-service/fixtures/service.ts'
import { failureOf } from './support.ts'

let service: TestService
let api: Api
let target: ServiceTarget
let folder: string

beforeAll(async () => {
  service = await startTestService()
  folder = mkdtempSync(join(tmpdir(), 'lectern-knowledge-'))
  let ids = 0
  api = createApi({
    clock: Date.now,
    ids: () => `id-for-test-${(ids += 1)}`,
    record: () => {},
    proxyFor: async () => null,
    extraCa: async () => [],
  })
  target = {
    accountId: localAccountId,
    accountName: 'This computer',
    baseUrl: service.url,
    key: service.key,
    profile: presets.local,
    limits,
  }
})
afterAll(async () => {
  await api.close()
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

const file = (name: string, text: string, mime = 'text/markdown') => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return { path, bytes: statSync(path).size, name, mime }
}

test('supports the whole life cycle of an on-device knowledge base', async () => {
  const { knowledge, documents } = api
  const made = await knowledge.create(
    target,
    { name: 'Travel', embeddingId: 3, background: 'sky', icon: 'seal' },
    {},
  )
  const { id } = made.value
  expect(made.engine).toBeTruthy()
  expect((await knowledge.get(target, { id }, {})).value).toMatchObject({
    name: 'Travel',
    embeddingId: 3,
    background: 'sky',
    icon: 'seal',
    contextual: false,
  })

  const uploaded = await documents.upload(
    target,
    {
      knowledgeId: id,
      files: [
        file('trains.md', '# Trains\n\nThe night train to Vienna leaves at 21:40 from platform 7.'),
        file('food.md', '# Food\n\nDumplings are boiled for six minutes.'),
      ],
      knowledgeType: 1,
    },
    {},
  )
  expect(uploaded.value.refused).toEqual([])
  expect(uploaded.value.accepted.map(({ name }) => name)).toEqual(['trains.md', 'food.md'])

  const state = async (documentId: string): Promise<string> =>
    (await documents.get(target, { id: documentId }, {})).value.state
  for (const { documentId } of uploaded.value.accepted)
    await expect.poll(() => state(documentId)).toBe('done')

  const listed = await documents.list(target, { knowledgeId: id, page: 1, size: 1 }, {})
  expect([listed.value.documents.length, listed.value.total]).toEqual([1, 2])
  const named = await documents.list(target, { knowledgeId: id, word: 'food' }, {})
  expect(named.value.documents.map(({ name }) => name)).toEqual(['food.md'])

  const found = await knowledge.retrieve(
    target,
    { query: 'When does the train to Vienna leave?', knowledgeIds: [id], topK: 3, topN: 10 },
    {},
  )
  expect(found.value[0]).toMatchObject({ knowledgeId: id, documentName: 'trains.md' })
  expect(found.value[0]?.text).toContain('21:40')

  const [first] = uploaded.value.accepted
  const documentId = first?.documentId ?? ''
  expect((await documents.images(target, { id: documentId }, {})).value).toEqual([])
  expect((await documents.embed(target, { id: documentId }, {})).value).toBeNull()
  await expect.poll(() => state(documentId)).toBe('done')

  const capacity = (await knowledge.capacity(target, {}, {})).value
  expect(capacity.used.words).toBeGreaterThan(0)
  expect(capacity.total.bytes).toBeGreaterThan(capacity.used.bytes)

  expect((await knowledge.update(target, { id, name: 'Journeys' }, {})).value).toBeNull()
  const pages = await knowledge.list(target, { page: 1, size: 10 }, {})
  expect(pages.value.bases.map(({ name }) => name)).toContain('Journeys')
  await documents.delete(target, { id: documentId }, {})
  await knowledge.delete(target, { id }, {})
  const gone = await failureOf(knowledge.get(target, { id }, {}))
  expect(gone.retriable).toBe(false)
  expect(gone.service?.message).toBeTruthy()
})

test('returns the positions of an agent answer by the two IDs it reports', async () => {
  const { knowledge, documents, agentChat, slices } = api
  const { id } = (await knowledge.create(target, { name: 'Prices', embeddingId: 3 }, {})).value
  const prices = 'Fruit,Price\nApples,two euros a kilo\nCherries,nine euros a kilo\n'
  const files = [file('prices.csv', prices, 'text/csv')]
  const sent = await documents.upload(target, { knowledgeId: id, files, knowledgeType: 3 }, {})
  const documentId = sent.value.accepted[0]?.documentId ?? ''
  const state = async (): Promise<string> =>
    (await documents.get(target, { id: documentId }, {})).value.state
  await expect.poll(state).toBe('done')

  const nodes: string[] = []
  const answer = await agentChat.chat(
    target,
    {
      messages: [{ role: 'user', content: 'What do cherries cost?' }],
      retrieval: { knowledgeIds: [id] },
    },
    {
      onEvent(event) {
        if (event.type === 'tool_result' && Array.isArray(event.result)) nodes.push(event.callId)
      },
    },
  )
  const askedId = answer.value.messageId ?? ''
  const found = await slices.positions(target, { askedId, nodeId: nodes.at(-1) ?? '' }, {})
  expect(found.value.hasOldDocument).toBe(false)
  const [document] = found.value.documents
  expect(document?.document).toMatchObject({ id: documentId, name: 'prices.csv' })
  const cherries = document?.slices.find(({ text }) => text.includes('Cherries'))
  expect(cherries).toMatchObject({ documentId, position: null, line: expect.any(Number) })

  const notFound = await failureOf(
    slices.positions(target, { askedId: 'nobody', nodeId: 'nowhere' }, {}),
  )
  expect([notFound.code, notFound.retriable]).toEqual(['SERVICE_NOT_FOUND', false])
})
