import { afterAll, beforeAll, expect, test } from 'vitest'
import { question, reply } from './fixtures/agent.ts'
import { ask, dataOf, embedded, newBase, outcome } from './fixtures/knowledge.ts'
import type { Json } from './fixtures/knowledge.ts'
import { pdfOf } from './fixtures/pdf.ts'
import { startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'

const path = '/llm-application/open/v2/application/slice_info'

interface Slices {
  readonly document_slices: readonly {
    readonly document: { readonly id: string; readonly name: string; readonly url: string }
    readonly slice_info: readonly (Json & { readonly text: string })[]
    readonly hide_positions: boolean
  }[]
  readonly has_old_document: boolean
}

let service: TestService
let base = ''
beforeAll(async () => {
  service = await startTestService()
  base = await newBase(service)
})
afterAll(() => service.stop())

test('returns line and sheet for a row of a spreadsheet, page and box for a PDF', async () => {
  const prices = 'Fruit,Price\nApples,two euros a kilo\nCherries,nine euros a kilo\n'
  const sheet = await embedded(service, base, 'prices.csv', prices, { knowledge_type: '3' })
  const pdf = await embedded(
    service,
    base,
    'garden.pdf',
    await pdfOf([
      ['The garden', 'Roses are pruned in February.'],
      ['Water', 'Tulip bulbs are planted ten centimetres deep in October.'],
    ]),
    { knowledge_type: '6' },
  )
  expect([sheet.embedding_stat, pdf.embedding_stat, pdf.failInfo]).toEqual([1, 1, undefined])
  const positions = async (text: string): Promise<Slices> => {
    const { messageId, found } = await reply(service, question(text, [base]))
    const body = { request_id: messageId, node_id: found[0]?.callId }
    const whole = await ask(service, 'POST', path, body)
    expect(whole).toMatchObject({ code: 200, notice: expect.stringContaining('messageId') })
    return whole['data'] as Slices
  }
  const cherries = await positions('What do cherries cost?')
  const rows = cherries.document_slices.find(({ document }) => document.id === sheet.id)
  expect(rows).toMatchObject({ document: { name: 'prices.csv', url: '', dtype: 2 } })
  expect(rows?.hide_positions).toBe(true)
  expect(rows?.slice_info).toContainEqual({
    document_id: sheet.id,
    text: 'Fruit: Cherries\nPrice: nine euros a kilo',
    line: 3,
    sheet_name: 'prices',
  })
  const tulips = await positions('When are tulip bulbs planted?')
  const pages = tulips.document_slices.find(({ document }) => document.id === pdf.id)
  const slice = pages?.slice_info.find(({ text }) => text.includes('Tulip'))
  expect(slice?.['position']).toMatchObject({ page: 2 })
  const { x0, x1, top, bottom, width, height } = (slice?.['position'] ?? {}) as Record<
    string,
    number
  >
  expect(x0).toBeGreaterThan(0)
  expect(x1).toBeGreaterThan(x0 ?? 0)
  expect(x1).toBeLessThanOrEqual(width ?? 0)
  expect(bottom).toBeGreaterThan(top ?? 0)
  expect(bottom).toBeLessThan((height ?? 0) / 2)
  const opened = await fetch(pages?.document.url ?? '')
  expect(opened.headers.get('content-type')).toBe('application/pdf')
  expect(tulips.has_old_document).toBe(false)
})

test('returns positions after the deletion of their document, with a notice', async () => {
  const own = await newBase(service)
  const notes = await embedded(service, own, 'notes.txt', 'The spare key lies under the third pot.')
  const { messageId, found } = await reply(service, question('Where is the spare key?', [own]))
  await ask(service, 'DELETE', `/llm-application/open/document/${notes.id}`)
  const data = await dataOf<Slices>(service, 'POST', path, {
    request_id: messageId,
    node_id: found[0]?.callId,
  })
  expect(data.has_old_document).toBe(true)
  expect(data.document_slices[0]?.slice_info[0]).toMatchObject({ line: 1 })
})

test('requires both IDs and rejects unknown ones', async () => {
  const answer = await reply(service, question('Which fruit?', [base]))
  const { messageId: request_id } = answer
  const call = answer.events.find(({ type }) => type === 'tool_call')
  const { callId: node_id } = (call?.data ?? {}) as { callId?: string }
  expect(await dataOf(service, 'POST', path, { request_id, node_id })).toEqual({
    document_slices: [],
    has_old_document: false,
  })
  for (const [body, expected] of [
    [{ node_id }, '400 1213'],
    [{ request_id }, '400 1213'],
    [{ request_id, node_id: 7 }, '400 1214'],
    [{ request_id: 'nobody', node_id }, '404 404'],
    [{ request_id, node_id: 'nothing' }, '404 404'],
    ['text', '400 1210'],
  ] as const)
    expect(await outcome(service, 'POST', path, body)).toBe(expected)
})
