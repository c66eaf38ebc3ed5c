import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PDFDocument } from '@cantoo/pdf-lib'
import { loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { deckOf } from '../../src/local-service/slides/deck.ts'
import { fittedDeck } from '../../src/local-service/slides/fit.ts'
import { outcomeOf, post } from './fixtures/json-call.ts'
import type { Json } from './fixtures/json-call.ts'
import { startTestService } from './fixtures/service.ts'
import type { TestService } from './fixtures/service.ts'
import { dataOf } from './fixtures/streams.ts'

vi.setConfig({ testTimeout: 120_000 })

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const outline =
  '# The office\n## Rent\n- goes up in May\n- nine hundred <pounds>\n## 家具\n- 桌子\n- 椅子'
const requestBody = (text: string): Json => ({
  agent_id: 'slides_gen_agent',
  stream: true,
  messages: [{ role: 'user', content: [{ type: 'text', text }] }],
})
const talk = (changes: Json = {}): Promise<Response> =>
  post(service, '/v1/agents', { ...requestBody(outline), ...changes })

interface Chunk {
  conversation_id: string
  choices: {
    index: number
    finish_reason?: string
    messages: {
      phase: string
      content: {
        type: string
        text?: string
        object?: { tool_name: string; output: string; title: string; position: number[] }
      }[]
    }[]
  }[]
  usage?: unknown
  engine?: string
  notice?: string
}
const chunksOf = async (response: Response): Promise<Chunk[]> => {
  const events = dataOf(await response.text())
  expect(events.at(-1)).toBe('[DONE]')
  return events.slice(0, -1).map((text) => JSON.parse(text) as Chunk)
}

interface History {
  status?: string
  error?: { code: string; message: string }
  choices: {
    message: {
      role: string
      content: {
        type: string
        tag_en: string
        text?: string
        file_url?: string
        image_url?: string
      }[]
    }[]
  }[]
}
const history = (conversation_id: string, changes: Json = {}): Promise<Response> =>
  post(service, '/v1/agents/conversation', {
    agent_id: 'slides_gen_agent',
    conversation_id,
    ...changes,
  })
const historyOf = async (id: string, custom_variables?: Json): Promise<History> =>
  (await (await history(id, { custom_variables })).json()) as History

test('turns an outline into pages: headings become titles, their content lines', () => {
  expect(deckOf(outline)).toEqual([
    { title: 'The office', lines: [] },
    {
      title: 'Rent',
      lines: [
        { text: 'goes up in May', level: 0 },
        { text: 'nine hundred <pounds>', level: 0 },
      ],
    },
    {
      title: '家具',
      lines: [
        { text: '桌子', level: 0 },
        { text: '椅子', level: 0 },
      ],
    },
  ])
  expect(deckOf('One sentence. And another one.')).toEqual([
    { title: 'One sentence.', lines: [{ text: 'And another one.', level: 0 }] },
  ])
  const long = Array.from({ length: 16 }, (_, i) => `- line ${i}`).join('\n')
  expect(deckOf(`# Long\n${long}`).map(({ lines }) => lines.length)).toEqual([7, 7, 2])
})

test('continues on the next page when there is no room, without losing a word', async () => {
  const long = Array.from({ length: 400 }, (_, i) => `word${i}`).join(' ')
  const title = Array.from({ length: 40 }, (_, i) => `title${i}`).join(' ')
  const chinese = '办公室的租金在五月上涨'.repeat(80)
  const deck = deckOf(`# ${title}\n- ${long}\n- ${chinese}\n# Short\n- last`)
  const { pages, leftOut } = await fittedDeck(deck)
  expect(leftOut).toBeNull()
  expect(pages.length).toBeGreaterThan(4)
  const lines = pages.flatMap((page) => page.lines)
  const joined = (spaces: string, texts: readonly string[]): string => texts.join(spaces)
  const pageText = joined(
    ' ',
    lines.map(({ text }) => text),
  )
  for (const text of [title, long]) expect(pageText).toContain(text)
  const han = lines.map(({ text }) => text).filter((text) => /\p{Script=Han}/u.test(text))
  expect(joined('', han)).toBe(chinese)
  expect(lines.some(({ continued }) => continued)).toBe(true)
  // Laid out again, each page has the same content.
  expect(await fittedDeck(pages)).toEqual({ pages, leftOut: null })
})

test('reports chapters that do not fit, immediately and in the history', async () => {
  const many = Array.from({ length: 130 }, (_, i) => `# Chapter ${i + 1}\n- its line`).join('\n')
  const chunks = await chunksOf(await talk(requestBody(many)))
  const answer = chunks.at(-2)?.choices[0]?.messages[0]?.content[0]?.text
  const leftOut = /last 60 of 260 entries, from “Chapter 101”/
  expect(answer).toMatch(leftOut)
  expect(chunks.at(-1)?.notice).toMatch(leftOut)
  const reply = await (await history(chunks[0]?.conversation_id ?? '')).json()
  expect(reply).toMatchObject({ notice: expect.stringMatching(leftOut) })
})

test('writes nothing new when a conversation is read again, also concurrently', async () => {
  const [{ conversation_id: id } = { conversation_id: '' }] = await chunksOf(await talk())
  const fileOf = async (pages?: Json[]): Promise<string | undefined> => {
    const { choices } = await historyOf(id, { include_pdf: true, ...(pages && { pages }) })
    return choices[0]?.message[1]?.content.at(-1)?.file_url
  }
  const [first, second] = await Promise.all([fileOf(), fileOf()])
  const savedCount = (await readdir(join(service.home, 'media'))).length
  expect(second).toBe(first)
  expect(await fileOf()).toBe(first)
  expect(await readdir(join(service.home, 'media'))).toHaveLength(savedCount)
  const other = await fileOf([{ position: 1, width: 10, height: 10 }])
  expect(other).not.toBe(first)
})

test('streams reasoning, each page as HTML, the answer, and the end', async () => {
  const chunks = await chunksOf(await talk())
  const messages = chunks.flatMap(({ choices }) => choices.flatMap((choice) => choice.messages))
  expect(messages.map(({ phase }) => phase)).toEqual(['thinking', 'tool', 'tool', 'tool', 'answer'])
  expect(chunks.map(({ choices }) => choices[0]?.index)).toEqual([0, 1, 2, 3, 4, 5])
  const pages = messages.flatMap(({ content: [part] }) => (part?.object ? [part.object] : []))
  expect(pages.map(({ title, tool_name }) => [title, tool_name])).toEqual([
    ['The office', 'insert_page'],
    ['Rent', 'insert_page'],
    ['家具', 'insert_page'],
  ])
  expect(pages[1]?.output).toContain('nine hundred &#60;pounds&#62;')
  expect(chunks.at(-1)).toMatchObject({
    choices: [{ finish_reason: 'stop' }],
    usage: { total_tokens: expect.any(Number) },
    engine: expect.any(String),
    notice: expect.stringMatching(/Your outline is used as written/),
  })
})

test('returns an image of each page and a PDF of the requested sizes in the history', async () => {
  const [{ conversation_id: id } = { conversation_id: '' }] = await chunksOf(await talk())
  const plain = await historyOf(id)
  const [user, assistant] = plain.choices[0]?.message ?? []
  expect(user).toMatchObject({ role: 'user', content: [{ text: outline }] })
  expect(assistant?.content.map(({ tag_en }) => tag_en)).toEqual(['Page 1', 'Page 2', 'Page 3'])
  const imageResponse = await fetch(assistant?.content[0]?.image_url ?? '')
  const { width, height } = await loadImage(Buffer.from(await imageResponse.arrayBuffer()))
  expect([width, height]).toEqual([1280, 720])

  const full = await historyOf(id, {
    include_pdf: true,
    include_html: true,
    pages: [{ position: 2, width: 21, height: 29.7 }],
  })
  const content = full.choices[0]?.message[1]?.content ?? []
  expect(content[0]?.text).toContain('<h1>The office</h1>')
  const file = await fetch(content.at(-1)?.file_url ?? '')
  expect(file.headers.get('content-type')).toBe('application/pdf')
  const pdf = await PDFDocument.load(await file.arrayBuffer())
  const sizes = pdf.getPages().map((page) => page.getSize())
  expect(sizes.map((size) => Math.round(size.width))).toEqual([960, 595, 960])
  expect(Math.round(sizes[1]?.height ?? 0)).toBe(842)
})

test('continues a conversation, also after a restart', async () => {
  const [{ conversation_id: id } = { conversation_id: '' }] = await chunksOf(await talk())
  await chunksOf(await talk({ ...requestBody('A\n- b'), conversation_id: id }))
  await service.restart()
  const { choices } = await historyOf(id)
  expect(choices[0]?.message.map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
  ])
  const url = choices[0]?.message[1]?.content[0]?.image_url ?? ''
  expect((await fetch(url)).status).toBe(200)
})

test('returns 200 with a failure for an unknown conversation', async () => {
  const response = await history('slides-unknown')
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({
    status: 'failed',
    error: { code: '1214', message: expect.any(String) },
  })
  expect(await outcomeOf(await talk({ conversation_id: 'slides-unknown' }))).toBe('404 404')
})

test('stops drawing when the caller disconnects, and stores nothing incomplete', async () => {
  const many = Array.from({ length: 10 }, (_, i) => `# Page ${i}\n- a line`).join('\n')
  const gone = new AbortController()
  const response = await post(service, '/v1/agents', requestBody(many), { signal: gone.signal })
  const first = await response.body?.getReader().read()
  const [event = ''] = dataOf(new TextDecoder().decode(first?.value))
  const { conversation_id } = JSON.parse(event) as Chunk
  gone.abort()
  // A later request with the same pages is complete when the first one would have been drawn, too.
  expect(await outcomeOf(await post(service, '/v1/agents', requestBody(many)))).toBe('ok')
  expect(await historyOf(conversation_id)).toMatchObject({ status: 'failed' })
})

test.each<[string, Json, string]>([
  ['no agent', { agent_id: undefined }, '400 1213'],
  ['an unknown agent', { agent_id: 'travel_agent' }, '400 1214'],
  ['the agent name of another provider', { agent_id: 'slides_glm_agent' }, 'ok'],
  ['streaming turned off', { stream: false }, '400 1212'],
  ['no messages', { messages: undefined }, '400 1213'],
  ['an empty list', { messages: [] }, '400 1214'],
  ['an unsupported role', { messages: [{ role: 'system', content: 'x' }] }, '400 1214'],
  ['a blank message', { messages: [{ role: 'user', content: ' ' }] }, '400 1213'],
])('a presentation request with %s: %o returns %s', async (_, changes, expected) => {
  expect(await outcomeOf(await talk(changes))).toBe(expected)
})

test.each<[string, Json, string]>([
  ['no agent', { agent_id: undefined }, '400 1213'],
  ['no conversation', { conversation_id: undefined }, '400 1213'],
  ['include_pdf as text', { custom_variables: { include_pdf: 'yes' } }, '400 1214'],
  [
    'a page without a width',
    { custom_variables: { pages: [{ position: 1, height: 1 }] } },
    '400 1213',
  ],
  [
    'a page that is too large',
    { custom_variables: { pages: [{ position: 1, width: 501, height: 1 }] } },
    '400 1214',
  ],
  [
    'the largest page',
    { custom_variables: { pages: [{ position: 1, width: 500, height: 500 }] } },
    'ok',
  ],
])('a history with %s: %o returns %s', async (_, changes, expected) => {
  expect(await outcomeOf(await history('slides-some', changes))).toBe(expected)
})
