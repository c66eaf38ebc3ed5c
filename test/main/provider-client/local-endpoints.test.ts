import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApi } from '../../../src/main/provider-client/index.ts'
import type { ServiceTarget } from '../../../src/main/provider-client/types.ts'
import type { Api } from '../../../src/main/provider-client/api.ts'
import { limits } from '../../../src/shared/provider/limits.ts'
import { presets } from '../../../src/shared/provider/profiles.ts'
import { sineWav } from '../../fixtures/wav.ts'
import { startTestService } from '../../local-service/fixtures/service.ts'
import type { TestService } from '../../local-service/fixtures/service.ts'
import { failureOf } from './support.ts'

let service: TestService
let api: Api
let target: ServiceTarget
const folder = mkdtempSync(join(tmpdir(), 'lectern-families-'))

beforeAll(async () => {
  service = await startTestService()
  let ids = 0
  api = createApi({
    clock: Date.now,
    ids: () => `families-${String((ids += 1)).padStart(6, '0')}`,
    record: () => {},
    proxyFor: async () => null,
    extraCa: async () => [],
  })
  target = {
    accountId: 'this-computer',
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

/** Returns a file of the test's folder as it is sent. */
function fileOf(name: string, content: Uint8Array, mime: string) {
  const path = join(folder, name)
  writeFileSync(path, content)
  return { path, bytes: content.length, name, mime }
}

test('uploads, clones and lists a sample, synthesizes plain and streamed, and deletes it', async () => {
  const sample = fileOf('sample.wav', sineWav({ seconds: 4, hz: 440 }), 'audio/wav')
  const uploaded = await api.files.upload(
    target,
    { file: sample, purpose: 'voice-clone-input' },
    {},
  )
  expect(uploaded.value).toMatchObject({ bytes: sample.bytes, purpose: 'voice-clone-input' })
  const fileId = uploaded.value.id
  const cloned = await api.voices.clone(
    target,
    { voiceName: 'test_voice', input: 'Hello.', fileId },
    {},
  )
  const { voice } = cloned.value
  const listed = await api.voices.list(target, { name: 'test', type: 'PRIVATE' }, {})
  expect(listed.value).toMatchObject([{ voice, name: 'test_voice', type: 'PRIVATE' }])

  const to = join(folder, 'said')
  const plain = await api.speech.create(target, { input: 'Hello.', voice, to }, {})
  expect(plain.engine).not.toBeNull()
  expect(plain.notice).not.toBeNull()
  expect(readFileSync(to, 'latin1').slice(0, 4)).toBe('RIFF')
  let receivedBytes = 0
  const streamed = await api.speech.stream(
    target,
    { input: 'Hello.', voice, to },
    { onAudio: (pcm) => (receivedBytes += pcm.length) },
  )
  expect(streamed.value.bytes).toBe(receivedBytes)
  expect(readFileSync(to).length).toBe(receivedBytes)
  expect(streamed.notice).toBe(plain.notice)

  await api.voices.delete(target, { voice }, {})
  const after = await api.voices.list(target, { type: 'PRIVATE' }, {})
  expect(after.value).toEqual([])
})

test('lists uploaded files, downloads them byte for byte, and deletes them', async () => {
  const lines = fileOf('lines.jsonl', Buffer.from('{"a":1}\n{"a":2}\n'), 'application/jsonl')
  const { value } = await api.files.upload(target, { file: lines, purpose: 'batch' }, {})
  const listed = await api.files.list(target, { purpose: 'batch', limit: 1 }, {})
  expect(listed.value.files.map(({ id }) => id)).toEqual([value.id])
  const to = join(folder, 'fetched')
  await api.files.content(target, { id: value.id, to }, {})
  expect(readFileSync(to).equals(readFileSync(lines.path))).toBe(true)
  expect((await api.files.delete(target, { id: value.id }, {})).value).toEqual({ deleted: true })
  expect(
    await failureOf(api.files.content(target, { id: value.id, to: `${to}2` }, {})),
  ).toMatchObject({ code: 'INVALID_INPUT' })
  expect(readdirSync(folder).filter((name) => name.startsWith('fetched2'))).toEqual([])
})

test('embeds texts in the requested dimensions, with similar vectors for similar meanings', async () => {
  const input = [
    'The cat sleeps on the sofa.',
    'A cat is asleep on a couch.',
    'Interest rates rose.',
  ]
  const { value, engine } = await api.embeddings.create(
    target,
    { model: 'embedding-3', input, dimensions: 512 },
    {},
  )
  expect(engine).not.toBeNull()
  const [cat, couch, rates] = value.vectors
  const dot = (a: Float64Array = new Float64Array(), b: Float64Array = new Float64Array()) =>
    a.reduce((sum, x, i) => sum + x * (b[i] ?? 0), 0)
  expect(dot(cat, couch)).toBeGreaterThan(dot(cat, rates))
  const many = await api.embeddings.createMany(
    target,
    { model: 'embedding-2', input: Array.from({ length: 70 }, (_, i) => `text ${i}`) },
    {},
  )
  expect(many.vectors.map(({ length }) => length)).toEqual(Array(70).fill(1024))
})

test('ranks documents by meaning', async () => {
  const documents = ['Interest rates rose.', 'A cat is asleep on a couch.']
  const { value } = await api.rerank.create(
    target,
    { query: 'Where does the cat sleep?', documents, topN: 1, returnDocuments: true },
    {},
  )
  expect(value).toMatchObject([{ index: 1, document: documents[1] }])
})

test('sends a PDF from disk and receives the blocks of its pages', async () => {
  const pdf = await PDFDocument.create()
  const font = await pdf.embedFont(StandardFonts.Helvetica)
  for (const text of ['First page of the test', 'Second page of the test'])
    pdf.addPage([400, 300]).drawText(text, { x: 40, y: 200, size: 18, font })
  const file = fileOf('two.pdf', await pdf.save(), 'application/pdf')
  const { value } = await api.layout.parse(
    target,
    { source: { file, mime: 'application/pdf', pages: 2 }, startPage: 2, endPage: 2 },
    {},
  )
  expect(value.markdown).toContain('Second page of the test')
  expect(value.markdown).not.toContain('First page')
  const blocks = value.pages.flat()
  expect(blocks.map(({ content }) => content).join(' ')).toContain('Second page of the test')
  expect(blocks.every(({ bbox }) => bbox !== null)).toBe(true)
})

test('reports a missing Response as such', async () => {
  expect(await failureOf(api.responses.retrieve(target, { id: 'resp_none' }, {}))).toMatchObject({
    retriable: false,
    service: { status: expect.any(Number) },
  })
})
