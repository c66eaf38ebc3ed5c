import { expect, test } from 'vitest'
import type { AnswerStep } from '../../../src/shared/chats/answer-step.ts'
import { pageOf, sourceBoxes } from '../../../src/shared/chats/places.ts'
import { sourceCount, sourcesOf } from '../../../src/shared/chats/sources.ts'
import { randomFrom } from '../../fixtures/random.ts'

const call = (value: unknown, tool = 'knowledge_retrieval', status = 'success'): AnswerStep => ({
  kind: 'call',
  callId: 'c',
  tool,
  arguments: {},
  result: { value, status },
  textAt: 0,
  startedAt: 1,
  endedAt: 2,
  durationMs: null,
})
const tool = (type: 'retrieval' | 'web_browser', outputs: unknown): AnswerStep => ({
  kind: 'tool',
  call: { type, outputs },
  textAt: 0,
  startedAt: 1,
  endedAt: 2,
})
const slices = (data: unknown) => [{ requestId: 'r', nodeId: 'n', at: 1, data }]
const mark = (n: number): string => `<reference data-ref="${n}"></reference>`
const sources = (steps: readonly AnswerStep[], text = '', data?: unknown) =>
  sourcesOf({ steps, text, slices: data === undefined ? [] : slices(data) })
const box = (page: number, more: object = {}) => ({
  page,
  x0: 100,
  x1: 300,
  top: 80,
  bottom: 160,
  width: 1000,
  height: 800,
  ...more,
})
const passage = { text: 'Words', score: 0.5, metadata: { _id: 's1', doc_id: 'd1', doc_name: 'A' } }

test.each([
  ['a list', [passage]],
  ['data', { data: [passage] }],
  ['results', { results: [passage] }],
  ['chunks', { code: 200, data: { chunks: [passage] } }],
  ['a JSON text', JSON.stringify({ data: [passage] })],
  ['a single object', passage],
  ['metadata as text', [{ ...passage, metadata: JSON.stringify(passage.metadata) }]],
  ['flat', [{ text: 'Words', score: '0.5', doc_id: 'd1', doc_name: 'A' }]],
  ['nested', { hits: [{ score: 0.5, _source: { content: 'Words', doc_id: 'd1', docName: 'A' } }] }],
])('finds passages, %s', (_, value) => {
  expect(sources([call(value)])).toMatchObject([
    { number: 1, kind: 'passage', title: 'A', text: 'Words', score: 0.5, documentId: 'd1' },
  ])
})

test('ignores rewritten questions, failures and plain text of other tools', () => {
  const strange = [
    call({ queries: ['a', 'b'], keywords: ['c'] }, 'query_rewrite'),
    call([{ text: 'q', score: 1 }], 'query_rewrite'),
    call([passage], 'knowledge_retrieval', 'error'),
    call(['words'], 'clock'),
    call({ time: 'now', text: 'it is now' }, 'clock'),
    call(null),
    call(12),
  ]
  expect(sources(strange)).toEqual([])
})

test('uses reported numbers for the whole answer, and merges duplicate sources', () => {
  const a = { ...passage, ref: 2 }
  const b = { text: 'Other', score: 0.4, ref: 1, metadata: { _id: 's2', doc_name: 'B' } }
  const again = { ...a, metadata: { ...a.metadata, position: box(3) } }
  expect(sources([call([a, b]), call([again])])).toMatchObject([
    { number: 1, text: 'Other' },
    { number: 2, text: 'Words', place: { boxes: [{ page: 3 }] }, steps: [0, 1] },
  ])
})

test('ignores reported numbers that restart with every call', () => {
  const one = { ...passage, ref: 1 }
  const other = { text: 'Other', ref: 1, metadata: { _id: 's2' } }
  expect(sources([call([one]), call([other])]).map(({ number, text }) => [number, text])).toEqual([
    [1, 'Words'],
    [2, 'Other'],
  ])
})

test('counts from 1, or from 0 if a mark references 0, over all results', () => {
  const steps = [call([passage, { ...passage, text: 'b' }]), call([{ ...passage, text: 'c' }])]
  const refs = (text: string) => sources(steps, text).map(({ ref }) => ref)
  expect(refs(`a${mark(3)}`)).toEqual([3, 1, 2])
  expect(refs(`a${mark(2)}b${mark(0)}`)).toEqual([2, 0, 1])
  // Images without text are counted like the provider counts them.
  const image = { doc_id: 'd', image_url: 'https://a.example/p.png', score: 1 }
  const mixed = sources([call({ data: [image, passage] })])
  expect(mixed).toMatchObject([
    { number: 1, images: [{ url: 'https://a.example/p.png' }] },
    { number: 2, text: 'Words' },
  ])
})

test('lists cited sources first, numbered by their marks, then the others', () => {
  const steps = [call(['a', 'b', 'c', 'd'].map((text) => ({ ...passage, text })))]
  const citedSources = (text: string) =>
    sources(steps, text).map((one) => [one.number, one.text, one.isCited])
  expect(citedSources(`x${mark(4)} y${mark(2)} z${mark(2)}`)).toEqual([
    [1, 'd', true],
    [2, 'b', true],
    [3, 'a', false],
    [4, 'c', false],
  ])
  // A mark without a source has a number as well: later ones keep theirs.
  expect(citedSources(`x${mark(9)} y${mark(3)}`)[0]).toEqual([2, 'c', true])
  const count = (text: string) => sourceCount(sources(steps, text), text)
  expect([count(`x${mark(4)} y${mark(2)} z${mark(2)}`), count('x')]).toEqual([2, 4])
})

test('accepts passages of assistants and web pages as sources', () => {
  const found = sources([
    tool('retrieval', [{ text: 'Words', document: 'A.pdf' }]),
    tool('web_browser', [
      { title: 'Sea', link: 'https://sea.example/', content: 'Waves', error: '' },
      { title: '', link: '', content: '', error: 'timeout' },
    ]),
    call([{ title: 'T', url: 'https://t.example/', content: 'C' }], 'web_search'),
  ])
  expect(found).toMatchObject([
    { number: 1, kind: 'passage', title: 'A.pdf', text: 'Words' },
    { number: 2, kind: 'web', title: 'Sea', text: 'Waves', link: 'https://sea.example/' },
    { number: 3, kind: 'web', title: 'T', link: 'https://t.example/' },
  ])
})

test('uses the page reported with an assistant’s passage', () => {
  const outputs = [
    { text: 'Words', document: 'A.pdf', page: 3 },
    { text: 'Other', page: 'x' },
  ]
  expect(sources([tool('retrieval', outputs)]).map(({ place }) => place.boxes)).toEqual([
    [{ page: 3, box: null }],
    [],
  ])
})

test('distinguishes the row of a sheet from the line of a file', () => {
  const row = { text: 'Name: Ada', metadata: { sheet_name: 'People', line: 7 } }
  const line = { text: 'Words', metadata: { sheet_name: null, line: 9, doc_name: 'a.md' } }
  expect(sources([call([row, line])])).toMatchObject([
    { kind: 'row', place: { sheet: 'People', line: 7 } },
    { kind: 'passage', place: { sheet: null, line: 9 } },
  ])
})

test('keeps every rectangle as fractions of its own page', () => {
  const positions = [box(2), box(3, { width: 500, height: 400 })]
  const [source] = sources([call([{ ...passage, metadata: { position: box(2), positions } }])])
  expect(source?.place).toMatchObject({
    firstPage: null,
    boxes: [
      { page: 2, box: [0.1, 0.1, 0.3, 0.2] },
      { page: 3, box: [0.2, 0.2, 0.6, 0.4] },
    ],
  })
})

test('normalizes rectangles: ordered and clamped edges, page shape, no empty or unsized ones', () => {
  const one = (more: object) => sourceBoxes(box(1, more))
  expect(one({ x0: 300, x1: 100 })).toEqual([{ page: 1, box: [0.1, 0.1, 0.3, 0.2], aspect: 1.25 }])
  expect(one({ x1: 9000, top: -5 })).toEqual([{ page: 1, box: [0.1, 0, 1, 0.2], aspect: 1.25 }])
  expect(one({ x1: 100 })).toEqual([{ page: 1, box: null }])
  expect(one({ width: 0 })).toEqual([{ page: 1, box: null }])
  expect(one({ x0: 0.1, x1: 0.2, top: 0.3, bottom: 0.4, width: 0, height: null })).toEqual([
    { page: 1, box: [0.1, 0.3, 0.2, 0.4] },
  ])
  expect(one({ x0: '100' })).toEqual([{ page: 1, box: [0.1, 0.1, 0.3, 0.2], aspect: 1.25 }])
  for (const page of [-1, 1.5, NaN, 'x', null]) expect(one({ page })).toEqual([])
})

test('detects the first page number from any page 0, separately for pages without rectangles', () => {
  const at = (page: number) => ({ ...passage, text: `p${page}`, metadata: { position: box(page) } })
  const index = (page: number) => ({ ...passage, text: `i${page}`, metadata: { page_index: page } })
  const first = (values: readonly unknown[]) =>
    sources([call(values)]).map(({ place }) => place.firstPage)
  expect(first([at(1), at(2)])).toEqual([null, null])
  expect(first([at(0), at(2), index(4)])).toEqual([0, 0, null])
  expect(first([index(0), index(4)])).toEqual([0, 0])
  expect(pageOf(3, 0, 9)).toBe(4)
  expect(pageOf(3, null, 9)).toBe(3)
  expect(pageOf(0, 1, 9)).toBeNull()
  expect(pageOf(9, 0, 9)).toBeNull()
})

const reply = (more: object, ...rows: readonly object[]) => ({
  document_slices: [
    {
      document: { id: 'd1', name: 'A', url: 'https://a.example/a.pdf' },
      slice_info: rows,
      ...more,
    },
  ],
  has_old_document: false,
})

test('adds positions of chunks to passages, and lists unmatched chunks as sources', () => {
  const data = reply(
    { images: [{ text: 'plan', cos_url: 'https://a.example/plan.png' }] },
    { document_id: 'd1', text: 'Wor ds', position: box(4) },
    { document_id: 'd1', text: 'More', position: box(5) },
    { document_id: 'd1', text: 'More', position: box(6) },
  )
  const found = sources([call([{ ...passage, text: 'Words' }])], '', data)
  expect(found).toMatchObject([
    { number: 1, kind: 'passage', score: 0.5, place: { boxes: [{ page: 4 }] } },
    { number: 2, kind: 'slice', text: 'More', place: { boxes: [{ page: 5 }, { page: 6 }] } },
  ])
  expect(found[1]?.images).toEqual([{ text: 'plan', url: 'https://a.example/plan.png' }])
  // The complete response is read like its data.
  expect(sources([], '', { code: 200, data })).toHaveLength(2)
})

test('hides hidden positions, even if a passage reports its own', () => {
  const data = reply(
    { hide_positions: true },
    { document_id: 'd1', text: 'Words', position: box(4) },
  )
  const own = { ...passage, metadata: { ...passage.metadata, position: box(4) } }
  expect(sources([call([own])], '', data)[0]?.place).toMatchObject({ hidden: true, boxes: [] })
})

test('shows lines only for rows, not for hidden chunks or line 0 of a text', () => {
  const lineOf = (row: object, slice: object) =>
    sources([], '', reply(row, { document_id: 'd1', text: 'Words', ...slice }))[0]?.place.line
  expect(lineOf({ hide_positions: true }, { line: 0 })).toBeNull()
  expect(lineOf({ hide_positions: true }, { line: 7, sheet_name: 'S' })).toBeNull()
  expect(lineOf({}, { line: 0 })).toBeNull()
  expect(lineOf({}, { line: 7 })).toBe(7)
  expect(lineOf({}, { line: 0, sheet_name: 'S' })).toBe(0)
})

test('treats the same text in another document as another source', () => {
  const data = reply({}, { document_id: 'd2', text: 'Words', line: 3, sheet_name: 'S' })
  expect(sources([call([passage])], '', data)).toMatchObject([
    { number: 1, documentId: 'd1' },
    { number: 2, documentId: 'd2', kind: 'row', place: { line: 3, sheet: 'S' } },
  ])
})

test('never throws for unexpected data, and keeps numbers unique', () => {
  const names = `data results text content metadata position positions page x0 score ref document
    document_slices slice_info images hide_positions __proto__ constructor doc_id chunk line width url sheet_name`.split(
    /\s+/,
  )
  for (let seed = 1; seed <= 300; seed++) {
    const random = randomFrom(seed)
    const pick = <T>(from: readonly T[], otherwise: T): T =>
      from[Math.floor(random() * from.length)] ?? otherwise
    const value = (depth: number): unknown => {
      const kind = random()
      if (depth > 4 || kind < 0.35)
        return pick<unknown>(
          [null, 0, 1, -3, 1e12, NaN, '', 'words', 'https://a.example', true, '[{', '7'],
          0,
        )
      if (kind < 0.6)
        return Array.from({ length: Math.floor(random() * 5) }, () => value(depth + 1))
      const json = `{${Array.from({ length: 6 }, () => JSON.stringify(pick(names, 'x')))
        .map((name) => `${name}:${JSON.stringify(value(depth + 1)) ?? 'null'}`)
        .join(',')}}`
      return kind < 0.65 ? json : (JSON.parse(json) as unknown)
    }
    const found = sources(
      [
        call(value(0)),
        tool('retrieval', value(0)),
        tool('web_browser', value(1)),
        call(value(0), 'x'),
      ],
      mark(Math.floor(random() * 3)),
      value(0),
    )
    const numbers = found.map(({ number }) => number)
    expect(new Set(numbers).size).toBe(numbers.length)
    for (const { place, text, title } of found) {
      expect(typeof text + typeof title).toBe('stringstring')
      for (const { box: rectangle, page } of place.boxes) {
        expect(Number.isSafeInteger(page) && page >= 0).toBe(true)
        for (const side of rectangle ?? []) expect(side >= 0 && side <= 1).toBe(true)
      }
    }
  }
})

test('limits endless results', () => {
  const many = Array.from({ length: 5000 }, (_, at) => ({ text: `t${at}`, score: 1 }))
  const deep = JSON.parse(`${'{"data":'.repeat(400)}[]${'}'.repeat(400)}`) as unknown
  const found = sources([call(many), call(many), call(many), call(deep)])
  expect(found.length).toBe(2000)
  expect(sourceBoxes(Array.from({ length: 5000 }, () => box(1))).length).toBe(500)
})

test('knows the moment of a meeting of the Library, and ignores half of one', () => {
  const said = { text: 'Words', document: 'Standup' }
  const moments = sources([
    tool('retrieval', [
      { ...said, meeting_id: 'm', seconds: 754 },
      { ...said, meeting_id: 'm' },
      { ...said, seconds: 3 },
      { ...said, meeting_id: 'm', seconds: -1 },
    ]),
  ]).map(({ moment }) => moment)
  expect(moments).toEqual([{ meetingId: 'm', seconds: 754 }, null, null, null])
})
