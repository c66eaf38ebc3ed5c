import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { localAccountId } from '../../../../../src/shared/provider/profiles.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import { testApp, type TestApp } from '../../../../fixtures/app.ts'
import { startScriptedServer } from '../../../../fixtures/scripted-server.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(async () => {
  await app.stop()
  await app.remove()
})

const fixture = (name: string): Uint8Array =>
  readFileSync(new URL(`../../../../fixtures/text-files/${name}`, import.meta.url))

async function imported(name: string, bytes: Uint8Array) {
  const saved = await app.intake(name, bytes)
  if (!saved.ok) throw new Error(saved.error.message)
  return app.raw('library.import', { mediaId: saved.data.media.id })
}
async function read(name: string, bytes = fixture(name)): Promise<string> {
  const reply = await imported(name, bytes)
  if (!reply.ok) throw new Error(reply.error.message)
  const { itemId } = reply.data as { readonly itemId: string }
  await eventually(async () => {
    const { document } = await app.call('documents.get', { id: itemId })
    expect(document.versions[0]?.state).toBe('done')
  })
  return itemId
}

test('reads a Word file on arrival: sections with titles, blocks in order, and no page images', async () => {
  const id = await read('report.docx')
  const { document } = await app.call('documents.get', { id })
  expect(document).toMatchObject({
    title: 'report',
    facts: { pages: 4, sizes: [], titles: ['Harbor report', 'Findings', 'Figures', 'Plan'] },
    versions: [{ accountId: localAccountId, counts: { returned: 4 } }],
  })
  const { pages, blocks } = await app.call('documents.pages', { id, first: 2, last: 3 })
  expect(pages.map(({ state }) => state)).toEqual(['returned', 'returned'])
  expect(blocks.map(({ page, kind }) => `${page} ${kind}`)).toEqual([
    '2 title',
    '2 text',
    '2 text',
    '3 title',
    '3 table',
  ])
  expect(await app.raw('documents.image', { id, page: 1, width: 160 })).toMatchObject({
    ok: false,
    error: { code: 'NOT_FOUND' },
  })
})

test('finds words of a slide in the document and in the library', async () => {
  const id = await read('deck.pptx')
  await eventually(async () => {
    const { hits } = await app.call('documents.find', { id, query: 'dredge basin', from: 1 })
    expect(hits).toMatchObject([{ page: 3 }])
    const found = await app.call('library.search', { query: 'dredge basin' })
    expect(JSON.stringify(found)).toContain(id)
  })
})

test('edits, exports and parses again as any document', async () => {
  const id = await read('budget.xlsx')
  const { blocks } = await app.call('documents.pages', { id, first: 1, last: 1 })
  const note = blocks.find(({ content }) => content.startsWith('Prices'))
  await app.call('documents.edit', { id, blockId: note?.id ?? '', text: 'Prices in dollars' })
  const options = { pages: '', crops: false, layoutPictures: false }
  await app.call('documents.parse', { id, options, fresh: true })
  await eventually(async () => {
    const { versions } = (await app.call('documents.get', { id })).document
    expect(versions.map(({ state }) => state)).toEqual(['done', 'done'])
  })
  const exported = await app.raw('documents.export', { id, format: 'txt', language: 'en' })
  expect(exported.ok).toBe(true)
})

test('sends nothing while an account is active', async () => {
  const server = await startScriptedServer()
  const { id: accountId } = await app.call('accounts.create', {
    preset: 'custom',
    name: 'Remote',
    baseUrl: server.url,
  })
  await app.call('accounts.setKey', { id: accountId, key: 'key-1234567890.abcdefgh' })
  await app.call('accounts.activate', { id: accountId })
  const id = await read('chinese.docx')
  const { document } = await app.call('documents.get', { id })
  expect(document.versions).toMatchObject([{ accountId: localAccountId, state: 'done' }])
  // Lists are fetched when an account becomes active; no file is sent.
  expect(server.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  await server.close()
})

test('says what is wrong with a file, and creates no document', async () => {
  const broken = fixture('report.docx').slice(0, 2000)
  const failures: readonly (readonly [string, Uint8Array, object])[] = [
    [
      'broken.docx',
      broken,
      { code: 'DAMAGED_FILE', params: { problem: 'text-file', kind: 'Word' } },
    ],
    [
      'locked.xlsx',
      Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0),
      { code: 'UNSUPPORTED_FORMAT', params: { problem: 'protected', kind: 'Excel' } },
    ],
    [
      'old.doc',
      Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 1),
      { code: 'UNSUPPORTED_FORMAT', params: { problem: 'legacy', kind: 'Word', ending: 'DOCX' } },
    ],
  ]
  for (const [name, bytes, error] of failures)
    expect(await imported(name, bytes)).toMatchObject({ ok: false, error })
})
