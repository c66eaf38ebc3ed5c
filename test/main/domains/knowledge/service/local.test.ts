import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { FaultRule } from '../../../../../src/local-service/fault-injection/rules.ts'
import { memoryKeychain, testApp, type TestApp } from '../../../../fixtures/app.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import { makePdf } from '../../../../local-service/fixtures/papers.ts'
import { startTestService, type TestService } from '../../../../local-service/fixtures/service.ts'

const root = '/llm-application/open'
const fields = {
  description: 'Tides and lights',
  embeddingId: 11,
  contextual: false,
  background: 'green',
  icon: 'house',
} as const
const byHeadings = { type: 1 } as const

let service: TestService
let app: TestApp
let accountId = ''
const keychain = memoryKeychain()
beforeAll(async () => {
  ;[service, app] = await Promise.all([startTestService({ faults: true }), testApp({ keychain })])
  accountId = await account('Coast service')
})
afterEach(() => service.call('/__faults', { method: 'DELETE' }))
afterAll(async () => {
  await app.stop()
  await app.remove()
  await service.stop()
})

async function account(name: string): Promise<string> {
  const { id } = await app.call('accounts.create', { preset: 'custom', name, baseUrl: service.url })
  await app.call('accounts.setKey', { id, key: service.key })
  await app.call('accounts.activate', { id })
  return id
}
const misbehave = (rule: FaultRule) =>
  service.call('/__faults', { method: 'POST', body: JSON.stringify(rule) })
const make = (name: string) => app.call('knowledge.create', { name, ...fields })
async function saveFile(name: string, text: string): Promise<string> {
  const reply = await app.intake(name, Buffer.from(text))
  if (!reply.ok) throw new Error(reply.error.message)
  return reply.data.media.id
}
const documentsOf = (baseId: string) => app.call('knowledge.documents', { baseId })

test('creates a knowledge base with all fields, sends only changes, and saves the response', async () => {
  const made = await make('Harbour')
  expect(made).toMatchObject({ ...fields, name: 'Harbour', accountId, documents: 0, gone: null })
  const { id: baseId } = made
  const changed = {
    name: 'Harbour lights',
    icon: 'book',
    contextual: true,
    embeddingId: 12,
  } as const
  const edited = await app.call('knowledge.update', { baseId, fields: { ...fields, ...changed } })
  expect(edited).toMatchObject({ ...changed, background: 'green' })
  const reply = await service.call(`${root}/knowledge/${baseId}`)
  const result = (await reply.json()) as { readonly data: unknown }
  expect(result.data).toMatchObject({
    name: 'Harbour lights',
    icon: 'book',
    embedding_id: 12,
    contextual: 1,
  })
  const { calls } = await app.call('activity.list', { limit: 20 })
  expect(calls.filter(({ operation }) => operation === 'knowledge.update')).toHaveLength(1)
  const before = calls.length
  await app.call('knowledge.update', { baseId, fields: { name: 'Harbour lights' } })
  expect((await app.call('activity.list', { limit: 20 })).calls).toHaveLength(before)
  const actions = await app.call('knowledge.activity', { baseId })
  expect(actions.map(({ deed: action }) => action.what)).toEqual(['edited', 'created'])
})

test('opens a knowledge base of an inactive account from saved data', async () => {
  const made = await make('Lighthouse')
  await account('Another service')
  const { base } = await app.call('knowledge.get', { baseId: made.id })
  await app.call('accounts.activate', { id: accountId })
  expect(base).toMatchObject({ name: 'Lighthouse', accountId })
})

test('opens the knowledge base of another account if it is deleted at the active one', async () => {
  const { id: baseId } = await make('Twin')
  const other = await account('Same service')
  await app.call('knowledge.refresh', {})
  expect((await app.call('knowledge.get', { baseId })).base).toMatchObject({ accountId: other })
  await app.call('knowledge.remove', { accountId: other, baseId })
  const { base } = await app.call('knowledge.get', { baseId })
  const gone = await app.call('knowledge.get', { accountId: other, baseId })
  await app.call('accounts.activate', { id: accountId })
  expect([base.accountId, base.gone]).toEqual([accountId, null])
  expect(gone.base.gone?.why).toBe('deleted')
})

test('lists knowledge bases of all accounts, and reports only an account without them', async () => {
  const { id: baseId } = await make('Pier')
  const { id: other } = await app.call('accounts.create', {
    preset: 'custom',
    name: 'Speech only',
    baseUrl: `${service.url}/nothing/here`,
  })
  await app.call('accounts.setKey', { id: other, key: service.key })
  await app.call('accounts.activate', { id: other })
  const listed = await app.call('knowledge.refresh', {})
  await app.call('accounts.activate', { id: accountId })
  expect(listed).toMatchObject({
    accountId: other,
    failure: { code: 'NOT_IMPLEMENTED', params: { problem: 'knowledgeBases' } },
    unreachable: [],
  })
  expect(listed.bases.find(({ id }) => id === baseId)).toMatchObject({ name: 'Pier', accountId })
  expect((await app.call('knowledge.list', { accountId: other })).bases).toEqual([])
})

test('requests the list of an inactive account only when all are refreshed', async () => {
  await make('Quay')
  await account('Third service')
  const requests = async (): Promise<number> =>
    (await app.call('activity.list', { accountId, limit: 500 })).calls.length
  const before = await requests()
  await app.call('knowledge.refresh', {})
  expect(await requests()).toBe(before)
  await app.call('knowledge.refresh', { all: true })
  expect(await requests()).toBeGreaterThan(before)
  await app.call('accounts.activate', { id: accountId })
})

test('pages, searches and sorts hundreds of knowledge bases, and marks removed ones', async () => {
  const mine = await account('Hundreds')
  const made = await make('First of many')
  const { id: doomed } = await make('Goes away')
  const left = Array.from({ length: 250 }, (_, n) => `Base ${String(n).padStart(4, '0')}`)
  const insert = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop())
      await service.call(`${root}/knowledge`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name, embedding_id: 3 }),
      })
  }
  await Promise.all(Array.from({ length: 8 }, insert))
  const listed = await app.call('knowledge.refresh', {})
  // Including those of the other account, which uses the same provider.
  expect(listed).toMatchObject({ accountId: mine, failure: null })
  expect(listed.total).toBeGreaterThanOrEqual(252)
  expect(listed.capacity?.total.words).toBeGreaterThan(0)
  const byName = { accountId: mine, query: 'base 020', order: 'name', limit: 5 } as const
  const hits = await app.call('knowledge.list', byName)
  expect(hits).toMatchObject({ total: 11 })
  expect(hits.bases.map(({ name }) => name)).toEqual(
    ['0020', '0200', '0201', '0202', '0203'].map((n) => `Base ${n}`),
  )
  await service.call(`${root}/knowledge/${doomed}`, { method: 'DELETE' })
  const again = await app.call('knowledge.refresh', {})
  expect(again.total).toBe(listed.total)
  const { base } = await app.call('knowledge.get', { baseId: doomed })
  expect(base).toMatchObject({ name: 'Goes away', gone: { why: 'unlisted' } })
  expect((await app.call('knowledge.activity', { baseId: doomed }))[0]?.deed).toEqual({
    what: 'gone',
  })
  expect((await app.call('knowledge.get', { baseId: made.id })).base.gone).toBeNull()
  // A list names the account it is of.
  await app.call('accounts.activate', { id: accountId })
  expect((await app.call('knowledge.list', {})).accountId).toBe(accountId)
  expect(
    (await app.call('knowledge.list', { accountId: mine, query: 'First of many' })).total,
  ).toBe(1)
})

test('queues files, tracks them until searchable, and fails with the provider error code', async () => {
  const { id: baseId } = await make('Papers')
  const good = await saveFile('Tides.md', '# Tides\n\nThe tide at the pier turns at noon.\n')
  const empty = await saveFile('Nothing.md', '   \n\n')
  const odd = await saveFile('Program.exe', 'MZ nothing to read')
  const added = await app.call('knowledge.upload', {
    baseId,
    sources: [
      { kind: 'file', mediaId: good, name: 'Tides.md' },
      { kind: 'file', mediaId: empty, name: 'Nothing.md' },
      { kind: 'file', mediaId: odd, name: 'Program.exe' },
      { kind: 'url', url: 'https://example.org/paper.pdf' },
    ],
    slicing: byHeadings,
  })
  expect(added.map(({ name }) => name)).toEqual([
    'Tides.md',
    'Nothing.md',
    'Program.exe',
    'https://example.org/paper.pdf',
  ])
  const found = await eventually(async () => {
    const { documents, failed, running } = await documentsOf(baseId)
    expect({ n: documents.length, failed, running }).toEqual({ n: 2, failed: 1, running: 0 })
    return documents
  })
  const tides = found.find(({ name }) => name === 'Tides.md')
  const nothing = found.find(({ name }) => name === 'Nothing.md')
  expect(tides).toMatchObject({ state: 'done', knowledgeType: 1, failure: null })
  expect(nothing).toMatchObject({ state: 'failed', failure: { code: 10001 } })
  const uploads = await app.call('knowledge.uploads', { baseId })
  const states = Object.fromEntries(uploads.map(({ name, state }) => [name, state]))
  expect(states).toEqual({
    'Tides.md': 'taken',
    'Nothing.md': 'taken',
    'Program.exe': 'refused',
    'https://example.org/paper.pdf': 'refused',
  })
  expect(uploads.find(({ name }) => name === 'Program.exe')?.error?.service?.message).toContain(
    '.exe',
  )
  // The figures of the base are fetched after its documents.
  await eventually(async () => {
    const { base } = await app.call('knowledge.get', { baseId })
    expect(base).toMatchObject({ documents: 2, failed: 1 })
    expect(base.words).toBeGreaterThan(0)
  })

  const again = await app.call('knowledge.embed', { baseId, ids: null })
  expect(again).toEqual({ done: 1, failures: [] })
  await eventually(async () => {
    expect(await documentsOf(baseId)).toMatchObject({ running: 0, failed: 1 })
  })
  const gone = await app.call('knowledge.removeDocuments', {
    baseId,
    ids: found.map(({ id }) => id),
  })
  expect(gone).toEqual({ done: 2, failures: [] })
  const left = await documentsOf(baseId)
  expect(left.documents.map((one) => one.gone?.why)).toEqual(['deleted', 'deleted'])
  const actions = await app.call('knowledge.activity', { baseId })
  expect(actions.map(({ deed: action }) => action)).toEqual([
    expect.objectContaining({ what: 'removed', n: 2 }),
    expect.objectContaining({ what: 'embedded', n: 1, names: ['Nothing.md'] }),
    expect.objectContaining({ what: 'added', n: 2 }),
    { what: 'created' },
  ])
})

test('waits for a busy provider; after a cut response checks what was received, without duplicates', async () => {
  const { id: baseId } = await make('Weather')
  const upload = async (name: string) =>
    app.call('knowledge.upload', {
      baseId,
      sources: [
        { kind: 'file', mediaId: await saveFile(name, `# ${name}\n\nWords of ${name}.`), name },
      ],
      slicing: byHeadings,
    })
  await misbehave({ path: `${root}/document/upload_document/${baseId}`, answer: '429', times: 1 })
  await upload('Rain.md')
  await eventually(async () => {
    const [row] = await app.call('knowledge.uploads', { baseId })
    expect(row?.state).toBe('taken')
  })
  await misbehave({
    path: `${root}/document/upload_document/${baseId}`,
    cutAfterBytes: 10,
    times: 1,
  })
  await upload('Snow.md')
  await eventually(async () => {
    const [row] = await app.call('knowledge.uploads', { baseId })
    expect(row).toMatchObject({ name: 'Snow.md', state: 'taken' })
  })
  await app.call('knowledge.refreshDocuments', { baseId })
  const { documents } = await documentsOf(baseId)
  expect(documents.map(({ name }) => name).toSorted()).toEqual(['Rain.md', 'Snow.md'])
})

test('reports failures along with saved data; a removed knowledge base stays readable until forgotten', async () => {
  const { id: baseId } = await make('Lighthouse')
  await app.call('knowledge.refresh', {})
  await misbehave({ path: `${root}/knowledge`, answer: '200-error' })
  const refused = await app.call('knowledge.refresh', {})
  expect(refused.failure).not.toBeNull()
  expect(refused.bases.some(({ id }) => id === baseId)).toBe(true)
  await service.call('/__faults', { method: 'DELETE' })
  expect((await app.raw('knowledge.forget', { baseId })).ok).toBe(false)
  const gone = await app.call('knowledge.remove', { baseId })
  expect(gone).toMatchObject({ name: 'Lighthouse', gone: { why: 'deleted' } })
  expect((await service.call(`${root}/knowledge/${baseId}`)).status).toBe(404)
  expect((await app.call('knowledge.get', { baseId })).base.gone?.why).toBe('deleted')
  await app.call('knowledge.forget', { baseId })
  expect((await app.raw('knowledge.get', { accountId, baseId })).ok).toBe(false)
})

test.each([false, true])(
  'a document reports that a knowledge base has its text, and whether it changed (pages marked: %s)',
  async (pageMarks) => {
    const { id: baseId } = await make('Lamps')
    const paper = await makePdf([({ write }) => write('Lamps burn oil.', 72, 720, 14)])
    const pdf = await app.intake('Lamps.pdf', paper)
    if (!pdf.ok) throw new Error(pdf.error.message)
    const { document } = await app.call('documents.create', { mediaId: pdf.data.media.id })
    const { id } = document
    const options = { pages: '', crops: false, layoutPictures: false }
    await app.call('documents.parse', { id, options })
    await eventually(async () => {
      const [version] = (await app.call('documents.get', { id })).document.versions
      expect(version?.state).toBe('done')
    })
    const { text } = await app.call('documents.text', { id, pageMarks })
    const mediaId = await saveFile('Lamps.md', text)
    await app.call('knowledge.upload', {
      baseId,
      sources: [{ kind: 'file', mediaId, name: 'Lamps.md', itemId: id }],
      slicing: byHeadings,
    })
    await eventually(async () => {
      const { pushes } = await app.call('documents.pushes', { id })
      expect(pushes).toEqual([
        expect.objectContaining({ baseId, baseName: 'Lamps', state: 'done', changed: false }),
      ])
    })
    const { blocks } = await app.call('documents.pages', { id, first: 1, last: 1 })
    await app.call('documents.edit', { id, blockId: blocks[0]?.id ?? '', text: 'Lamps burn gas.' })
    const [push] = (await app.call('documents.pushes', { id })).pushes
    expect(push?.changed).toBe(true)
  },
)

test('continues uploads and embedding after a restart, without duplicates', async () => {
  const { id: baseId } = await make('Restart')
  await misbehave({ path: `${root}/document/upload_document/${baseId}`, delayMs: 60_000, times: 1 })
  await app.call('knowledge.upload', {
    baseId,
    sources: [
      {
        kind: 'file',
        mediaId: await saveFile('Early.md', '# Early\n\nIt came early.'),
        name: 'Early.md',
      },
    ],
    slicing: byHeadings,
  })
  await eventually(async () => {
    const [row] = await app.call('knowledge.uploads', { baseId })
    expect(row?.state).toBe('sending')
  })
  await app.stop()
  await service.call('/__faults', { method: 'DELETE' })
  app = await testApp({ home: app.home, keychain })
  await eventually(async () => {
    const { documents, running } = await documentsOf(baseId)
    expect([documents.map(({ name }) => name), running]).toEqual([['Early.md'], 0])
  })
  expect((await app.call('knowledge.uploads', { baseId })).map(({ state }) => state)).toEqual([
    'taken',
  ])
})
