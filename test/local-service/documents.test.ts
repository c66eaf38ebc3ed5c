import { readFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { join } from 'node:path'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, dataOf, embedded, find, newBase, outcome } from './fixtures/knowledge.ts'
import { settled, upload, uploadForm } from './fixtures/knowledge.ts'
import type { DocumentData, Json, NamedFile, UploadData } from './fixtures/knowledge.ts'
import { pdfOf } from './fixtures/pdf.ts'
import { numericFailureOf, startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'

const open = '/llm-application/open'

let service: TestService
let base = ''
beforeAll(async () => {
  service = await startTestService()
  base = await newBase(service)
})
afterAll(() => service.stop())

const textFile = (name: string): Uint8Array =>
  readFileSync(new URL(`../fixtures/text-files/${name}`, import.meta.url))

/** Returns the stored slices, since the API lists none. */
const slicesOf = async ({ id }: Pick<DocumentData, 'id'>): Promise<readonly string[]> => {
  const state = new Database(join(service.home, 'state.db'), { readonly: true })
  try {
    const rows = state
      .prepare<[string], { text: string }>(
        'SELECT text FROM knowledge_slices WHERE document_id = ? ORDER BY seq',
      )
      .all(id)
    return rows.map(({ text }) => text)
  } finally {
    state.close()
  }
}

interface Listed {
  readonly list: readonly DocumentData[]
  readonly total: number
}

describe('uploads', () => {
  test('starts or rejects each of several files separately, with a reason', async () => {
    const body = uploadForm(
      [
        ['说明.md', '# 一\n\n第一段。'],
        ['notes.txt', 'A note.'],
        ['report.docx', textFile('report.docx')],
        ['report.zip', Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 6, 0, 8)],
        ['table.xls', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0, 0, 0, 0)],
        ['song.mp3', 'ID3'],
        ['empty.txt', ''],
      ],
      { knowledge_type: '1', callback_url: 'https://example.org/done' },
    )
    const response = await service.call(`${open}/document/upload_document/${base}`, {
      method: 'POST',
      body,
    })
    const reply = (await response.json()) as Json & { data: UploadData }
    expect(reply).toMatchObject({
      code: 200,
      notice: expect.stringContaining('Callbacks aren’t available'),
    })
    const { successInfos, failedInfos } = reply.data
    expect(successInfos.map(({ fileName }) => fileName)).toEqual([
      '说明.md',
      'notes.txt',
      'report.docx',
    ])
    expect(failedInfos).toEqual([
      { fileName: 'report.zip', failReason: expect.stringContaining('archives') },
      { fileName: 'table.xls', failReason: expect.stringContaining('Office files') },
      { fileName: 'song.mp3', failReason: expect.stringContaining('(.mp3)') },
      { fileName: 'empty.txt', failReason: expect.stringContaining('empty') },
    ])
    for (const { documentId } of successInfos)
      expect(await settled(service, documentId)).toMatchObject({ embedding_stat: 1 })
  })

  test('chunks office files: sections by headings, slides, and rows of sheets', async () => {
    const of = (name: string) => embedded(service, base, name, textFile(name))
    const report = (await slicesOf(await of('report.docx'))).join('\n')
    expect(report).toContain('Fog delayed nine arrivals')
    expect(report).toContain('Autumn, still open | 68,100')
    expect(report).toContain('the price is $5 or $6 per *ton*')
    expect((await slicesOf(await of('deck.pptx'))).join('\n')).toContain('Show the photo')
    const rows = await slicesOf(await of('budget.xlsx'))
    expect(rows).toContain('Item: Dredging\nDate: 2026-11-20\nAmount: 8800\nPaid: FALSE')
    expect((await slicesOf(await of('report.epub'))).join('\n')).toContain('Two cranes failed')
    const found = await find(service, base, 'Which crane failed in October?')
    expect(found.map(({ text }) => text).join('\n')).toContain('The old one in October')
  })

  test('names the cells of each table of a sheet by its own header, also in a long one', async () => {
    const files = unzipSync(textFile('budget.xlsx'))
    const row = (number: number, values: readonly string[]): string =>
      `<row r="${number}">${values.map((value) => `<c t="inlineStr"><is><t>${value}</t></is></c>`).join('')}</row>`
    const ships = Array.from({ length: 90 }, (_, at) => row(at + 5, [`Ship ${at}`, `${at} tons`]))
    const rows = [
      row(1, ['Crane', 'State']),
      row(2, ['North', 'broken']),
      row(4, ['Ship', 'Load']),
      ...ships,
      row(99, ['Total', '4005 tons']),
    ]
    files['xl/worksheets/sheet1.xml'] = strToU8(
      `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`,
    )
    const found = await slicesOf(await embedded(service, base, 'tables.xlsx', zipSync(files)))
    expect(found).toContain('Crane: North\nState: broken')
    expect(found).toContain('Ship: Ship 0\nLoad: 0 tons')
    expect(found).toContain('Ship: Ship 89\nLoad: 89 tons')
    expect(found).toContain('Total\n4005 tons')
  })

  test('names the cells of merged rows and columns by their own columns', async () => {
    const files = unzipSync(textFile('budget.xlsx'))
    const row = (number: number, cells: Readonly<Record<string, string>>): string =>
      `<row r="${number}">${Object.entries(cells)
        .map(([at, value]) => `<c r="${at}${number}" t="inlineStr"><is><t>${value}</t></is></c>`)
        .join('')}</row>`
    const rows = [
      row(1, { A: 'Office', B: 'Name', D: 'Salary' }),
      row(2, { A: 'Pilots', B: 'Ada', C: 'North', D: '8,500' }),
      row(3, { B: 'Jon', C: 'Pike', D: '7,900' }),
    ]
    files['xl/worksheets/sheet1.xml'] = strToU8(
      `<worksheet><sheetData>${rows.join('')}</sheetData><mergeCells><mergeCell ref="B1:C1"/><mergeCell ref="A2:A3"/></mergeCells></worksheet>`,
    )
    const found = await slicesOf(await embedded(service, base, 'merged.xlsx', zipSync(files)))
    expect(found).toContain('Office: Pilots\nName: Ada\nNorth\nSalary: 8,500')
    expect(found).toContain('Office: Pilots\nName: Jon\nPike\nSalary: 7,900')
  })

  test('returns a document with its rules and sizes', async () => {
    const document = await embedded(service, base, 'told.txt', 'Four words of text. 二字', {
      knowledge_type: '5',
      custom_separator: ['。', '.'],
      sentence_size: '100',
    })
    expect(document).toEqual({
      id: expect.any(String),
      knowledge_id: base,
      knowledge_type: 5,
      custom_separator: ['。', '.'],
      sentence_size: 100,
      length: expect.any(Number),
      word_num: 6,
      name: 'told.txt',
      url: '',
      embedding_stat: 1,
    })
    expect(await slicesOf(document)).toEqual(['Four words of text', '二字'])
  })

  test.each<[string, Readonly<Record<string, string | readonly string[]>>, string]>([
    ['sentence_size 20', { sentence_size: '20' }, '200'],
    ['sentence_size 2000', { sentence_size: '2000' }, '200'],
    ['sentence_size 19', { sentence_size: '19' }, '400 1214'],
    ['sentence_size 2001', { sentence_size: '2001' }, '400 1214'],
    ['sentence_size as text', { sentence_size: 'many' }, '400 1214'],
    ['knowledge_type 7', { knowledge_type: '7' }, '200'],
    ['knowledge_type 4', { knowledge_type: '4' }, '400 1214'],
    ['knowledge_type 0', { knowledge_type: '0' }, '400 1214'],
    ['parse_image yes', { parse_image: 'yes' }, '400 1214'],
    ['word_num_limit many', { word_num_limit: 'many' }, '400 1214'],
  ])('%s', async (_what, fields, expected) => {
    const response = await service.call(`${open}/document/upload_document/${base}`, {
      method: 'POST',
      body: uploadForm([['a.txt', 'A text.']], fields),
    })
    expect(response.ok ? String(response.status) : await numericFailureOf(response)).toBe(expected)
  })

  test('rejects missing files, missing forms and unknown knowledge bases, and stores nothing', async () => {
    const send = (path: string, body: FormData | string): Promise<Response> =>
      service.call(`${open}/document/upload_document/${path}`, { method: 'POST', body })
    expect(await numericFailureOf(await send(base, uploadForm([])))).toBe('400 1213')
    expect(await numericFailureOf(await send(base, 'text'))).toBe('400 1210')
    const form = uploadForm([['a.txt', 'A text.']])
    expect(await numericFailureOf(await send('nobody', form))).toBe('404 404')
    const many = Array.from({ length: 51 }, (_, i): NamedFile => [`${i}.txt`, 'x'])
    expect(await numericFailureOf(await send(base, uploadForm(many)))).toBe('400 1210')
  })

  test('rejects an image above 10 MB and accepts the other files', async () => {
    const large = new Uint8Array(10 * 1024 * 1024 + 1)
    large.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    const { successInfos, failedInfos } = await upload(service, base, [
      ['large.png', large],
      ['small.txt', 'Small.'],
    ])
    expect(failedInfos[0]?.failReason).toContain('up to 10 MB')
    expect(successInfos.map(({ fileName }) => fileName)).toEqual(['small.txt'])
  })

  test('rejects URLs one by one, since the local service fetches nothing', async () => {
    const path = `${open}/document/upload_url`
    const url = 'https://example.org/a.pdf'
    const reply = await ask(service, 'POST', path, {
      knowledge_id: base,
      upload_detail: [{ url, knowledge_type: 1 }],
    })
    expect(reply).toMatchObject({
      code: 200,
      data: {
        successInfos: [],
        failedInfos: [{ url, failReason: expect.stringContaining('URLs aren’t loaded') }],
      },
    })
    for (const [body, expected] of [
      [{ upload_detail: [{ url }] }, '400 1213'],
      [{ knowledge_id: base }, '400 1213'],
      [{ knowledge_id: base, upload_detail: [{}] }, '400 1213'],
      [{ knowledge_id: base, upload_detail: [{ url, knowledge_type: 4 }] }, '400 1214'],
      [{ knowledge_id: base, upload_detail: [{ url, sentence_size: 19 }] }, '400 1214'],
      [{ knowledge_id: 'nobody', upload_detail: [{ url }] }, '404 404'],
    ] as const)
      expect(await outcome(service, 'POST', path, body)).toBe(expected)
  })
})

describe('chunking', () => {
  test('splits by headings and returns the headings above a result', async () => {
    const text = '# Manual\n\n## Engine\n\nLine one.\n\n### Oil\n\nLine two.\n'
    const document = await embedded(service, base, 'm.md', text, { knowledge_type: '1' })
    expect(await slicesOf(document)).toEqual(['Manual\nEngine\nLine one.', 'Oil\nLine two.'])
  })

  test('splits into questions and answers: marked, asked, or in two columns', async () => {
    const marked = 'Q: How far?\nA: Two miles.\n\n问：多远？\n答：两公里。'
    expect(
      await slicesOf(await embedded(service, base, 'qa.txt', marked, { knowledge_type: '2' })),
    ).toEqual(['How far?\nTwo miles.', '多远？\n两公里。'])
    const sheet = 'question,answer\n"How far, and how long?",Two miles\n'
    expect(
      await slicesOf(await embedded(service, base, 'qa.csv', sheet, { knowledge_type: '2' })),
    ).toEqual(['How far, and how long?\nTwo miles'])
    const none = await embedded(service, base, 'no.txt', 'Just a text.', { knowledge_type: '2' })
    expect(none).toMatchObject({
      embedding_stat: 2,
      failInfo: { embedding_code: 10001, embedding_msg: expect.stringContaining('No questions') },
    })
  })

  test('splits into rows, with quoted cells over several lines', async () => {
    const text = 'City;Note\nOslo;"two\nlines; and ""quotes"""\nRome;sunny\n'
    expect(
      await slicesOf(await embedded(service, base, 's.csv', text, { knowledge_type: '3' })),
    ).toEqual(['City: Oslo\nNote: two\nlines; and "quotes"', 'City: Rome\nNote: sunny'])
    const wrong = await embedded(service, base, 't.txt', 'Text.', { knowledge_type: '3' })
    expect(wrong.failInfo?.embedding_msg).toContain('Only a sheet')
  })

  test('splits a PDF by pages, or not at all', async () => {
    const pdf = await pdfOf([
      ['First', 'The line of page one.'],
      ['Second', 'The line of page two.'],
    ])
    const pages = await embedded(service, base, 'p.pdf', pdf, { knowledge_type: '6' })
    expect(pages.url).toMatch(/^http:.*\.pdf$/)
    expect(await slicesOf(pages)).toEqual([
      expect.stringMatching(/First[^]*page one/),
      expect.stringMatching(/Second[^]*page two/),
    ])
    const whole = await embedded(service, base, 'w.pdf', pdf, { knowledge_type: '7' })
    expect(await slicesOf(whole)).toEqual([expect.stringMatching(/First[^]*Second/)])
  })

  test('splits text above the sentence size at the ends of sentences', async () => {
    const text = 'This sentence is the first one. And this one is the second. 第三句。'
    const document = await embedded(service, base, 'l.txt', text, {
      knowledge_type: '5',
      custom_separator: '###',
      sentence_size: '40',
    })
    expect(await slicesOf(document)).toEqual([
      'This sentence is the first one.',
      'And this one is the second. 第三句。',
    ])
  })

  test('splits a sheet by rows and anything else by headings when no rule is given', async () => {
    const rows = await embedded(service, base, 'auto.csv', 'a,b\n1,2\n3,4\n')
    expect(await slicesOf(rows)).toHaveLength(2)
    const text = await embedded(service, base, 'auto.md', '# One\n\nline\n\n# Two\n\nline\n')
    expect(text.knowledge_type).toBeNull()
    expect(await slicesOf(text)).toHaveLength(2)
  })
})

describe('texts in other encodings', () => {
  const gb18030 = Uint8Array.of(0xbb, 0xe1, 0xd2, 0xe9, 0xbc, 0xc7, 0xc2, 0xbc)
  const utf16 = (text: string): Uint8Array =>
    Buffer.concat([Buffer.of(0xff, 0xfe), Buffer.from(text, 'utf16le')])
  test.each<[string, Uint8Array, string]>([
    ['GB18030', gb18030, '会议记录'],
    ['UTF-16', utf16('会议 notes'), '会议 notes'],
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFplain'), 'plain'],
    ['Windows-1252', Uint8Array.of(0x63, 0x61, 0x66, 0xe9), 'café'],
  ])('%s', async (_name, bytes, text) => {
    expect(await slicesOf(await embedded(service, base, 'e.txt', bytes))).toEqual([text])
  })

  test('rejects bytes that are not text with a message', async () => {
    const document = await embedded(service, base, 'e.txt', Uint8Array.of(1, 0, 2, 0, 3))
    expect(document).toMatchObject({ embedding_stat: 2, failInfo: { embedding_code: 10001 } })
  })
})

describe('documents', () => {
  test('fails with their codes for a damaged PDF and too many words', async () => {
    const damaged = await embedded(service, base, 'd.pdf', '%PDF-1.7 and nothing')
    expect(damaged).toMatchObject({
      embedding_stat: 2,
      failInfo: { embedding_code: 10001, embedding_msg: expect.stringContaining('cannot be read') },
    })
    const text = 'one two three'
    const enough = await embedded(service, base, 'w.txt', text, { word_num_limit: '3' })
    expect(enough.embedding_stat).toBe(1)
    const over = await embedded(service, base, 'w.txt', text, { word_num_limit: '2' })
    expect(over.failInfo).toMatchObject({ embedding_code: 10002 })
  })

  test('pages, filters, reads, embeds again and deletes documents', async () => {
    const own = await newBase(service)
    const files = Array.from({ length: 3 }, (_, i): NamedFile => [`Report ${i}.txt`, `Text ${i}.`])
    const { successInfos } = await upload(service, own, [...files, ['总结.txt', '总结。']])
    for (const { documentId } of successInfos) await settled(service, documentId)
    const list = (query: string): Promise<Listed> =>
      dataOf(service, 'GET', `${open}/document?knowledge_id=${own}${query}`)
    expect((await list('')).total).toBe(4)
    const some = await list('&word=REPORT&page=2&size=2')
    expect([some.total, some.list.map(({ name }) => name)]).toEqual([3, ['Report 0.txt']])
    expect((await list(`&word=${encodeURIComponent('总')}`)).total).toBe(1)

    const id = successInfos[0]?.documentId ?? ''
    expect(await outcome(service, 'POST', `${open}/document/embedding/${id}`)).toBe('200 200')
    expect(await settled(service, id)).toMatchObject({ embedding_stat: 1 })
    const body = { callback_url: 'https://example.org' }
    const again = await ask(service, 'POST', `${open}/document/embedding/${id}`, body)
    expect(again['notice']).toContain('Callbacks aren’t available')
    await settled(service, id)
    expect(await find(service, own, 'Text 0', { document_ids: [id] })).toHaveLength(1)

    expect(await outcome(service, 'DELETE', `${open}/document/${id}`)).toBe('200 200')
    expect(await find(service, own, 'Text 0', { document_ids: [id] })).toEqual([])
    for (const [method, path] of [
      ['GET', `document/${id}`],
      ['DELETE', `document/${id}`],
      ['POST', `document/embedding/${id}`],
      ['POST', `document/slice/image_list/${id}`],
      ['GET', 'document?knowledge_id=nobody'],
    ] as const)
      expect(await outcome(service, method, `${open}/${path}`)).toBe('404 404')
    for (const [query, expected] of [
      ['', '400 1213'],
      [`?knowledge_id=${own}&size=101`, '400 1214'],
      [`?knowledge_id=${own}&page=0`, '400 1214'],
    ])
      expect(await outcome(service, 'GET', `${open}/document${query}`)).toBe(expected)
  })

  test('lists images of a document that has any', async () => {
    const document = await embedded(service, base, 'i.txt', 'Without pictures.')
    const path = `${open}/document/slice/image_list/${document.id}`
    expect(await dataOf(service, 'POST', path)).toEqual({ images: [] })
  })
})
