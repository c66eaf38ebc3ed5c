import { Parser } from 'htmlparser2'
import { describe, expect, test } from 'vitest'
import type { ChatMessage } from '../../../../../src/shared/model/chat.ts'
import { headOf, agent, dataAssistant, messageOf, written } from './made.ts'

const answer: ChatMessage = messageOf({
  id: 'a',
  parentId: 'q',
  role: 'assistant',
  settings: agent,
  createdAt: Date.UTC(2026, 0, 2, 23, 5),
  text: 'Far<reference data-ref="1"></reference>, or not<reference data-ref="7"/>. $a^2$ and\n\n$$\\frac{1}{2}$$\n\n- [ ] one\n\n```js\nlet x = "<b>"\n```',
  steps: [
    { kind: 'reasoning', text: 'I *look*.', textAt: 0, startedAt: 1000, endedAt: 3300 },
    {
      kind: 'call',
      callId: 'c',
      tool: 'knowledge_search',
      arguments: { query: 'probe' },
      result: {
        value: [
          {
            ref: 1,
            text: 'It goes\n20 km | a day',
            document_name: 'Manual *one*.pdf',
            url: 'https://example.com/a b',
          },
        ],
        status: 'success',
      },
      textAt: 0,
      startedAt: 0,
      endedAt: 10,
      durationMs: 900,
    },
  ],
})
const question = messageOf({
  id: 'q',
  text: 'How far?',
  attachments: [
    { kind: 'image', mediaId: 'm', name: 'probe.png' },
    { kind: 'document', itemId: 'd', title: 'Manual', pages: '1-3' },
  ],
})
const talk = [question, answer]

/** Returns the text of a page, and its elements with their attributes. */
function readHtml(html: string) {
  const words: string[] = []
  const tags: { readonly name: string; readonly attributes: Readonly<Record<string, string>> }[] =
    []
  const parser = new Parser({
    onopentag: (name, attributes) => void tags.push({ name, attributes }),
    ontext: (text) => void words.push(text),
  })
  parser.write(html)
  parser.end()
  return { words: words.join(''), tags }
}

describe('Markdown', () => {
  test('contains title, model, dates, and each message with its role and time', async () => {
    const text = await written('md', talk, { head: { title: 'A: "talk"', tags: ['one', '二'] } })
    const [, front = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? []
    const facts = new Map(
      front.split('\n').map((line) => {
        const [, name = '', value = ''] = /^(\w+): (.*)$/.exec(line) ?? []
        return [name, value] as const
      }),
    )
    expect(JSON.parse(facts.get('title') ?? '')).toBe('A: "talk"')
    expect(JSON.parse(facts.get('with') ?? '')).toBe('Retrieval agent')
    expect(JSON.parse(facts.get('tags') ?? '')).toEqual(['one', '二'])
    expect(facts.get('created')).toBe('2026-01-02T03:04:05.000Z')
    expect(facts.get('messages')).toBe('2')
    expect(text).toContain('\n## You · 2026-01-02 03:04\n')
    expect(text).toContain('\n## Retrieval agent · 2026-01-02 23:05\n')
    expect(text).toContain('- Image: probe.png\n- Document: Manual (pages 1-3)')
  })

  test('has sources as footnotes, numbered separately in each message', async () => {
    const text = await written('md', talk)
    expect(text).toContain('Far[^m2-1], or not\\[2\\]. $a^2$')
    expect(text).toContain(
      '[^m2-1]: Manual \\*one\\*.pdf: “It goes 20 km \\| a day” <https://example.com/a%20b>',
    )
  })

  test('collapses thinking and tools, or omits them', async () => {
    const text = await written('md', talk)
    expect(text).toContain('<summary>Thinking · 2.3 s</summary>\n\nI *look*.\n\n</details>')
    expect(text).toContain('<summary>Tool: knowledge_search · 0.9 s · success</summary>')
    expect(text).toContain('"query": "probe"')
    const bare = await written('md', talk, { options: { steps: false } })
    expect(bare).not.toContain('details')
    expect(bare).toContain('[^m2-1]: ')
  })

  test('keeps code and formulas unchanged, and closes truncated code', async () => {
    const text = await written('md', [
      messageOf({ id: 'q', text: '~~~~md\n```\ninside <i>' }),
      messageOf({ id: 'r', text: 'after' }),
    ])
    expect(text).toContain('~~~~md\n```\ninside <i>\n~~~~\n\n## You')
    expect(await written('md', talk)).toContain('```js\nlet x = "<b>"\n```')
  })

  test('uses Chinese on request, and names assistants', async () => {
    const head = { settings: dataAssistant }
    const messages = [question, { ...answer, settings: dataAssistant, state: 'stopped' as const }]
    const text = await written('md', messages, { head, options: { language: 'zh' } })
    expect(text).toContain('\n## 我 · ')
    expect(text).toMatch(/\n## 数据分析 · .* · 已停止\n/)
    expect(text).toContain('- 图片：probe.png\n- 文档：Manual（第 1-3 页）')
    expect(text).toContain('\n输入：\n')
  })
})

describe('HTML', () => {
  test('is one file in light and dark, with formulas as MathML and unchanged code', async () => {
    const html = await written('html', talk)
    const { words, tags } = readHtml(html)
    const names = tags.map(({ name }) => name)
    expect(html).toMatch(/color-scheme:\s*light dark/)
    expect(names.filter((name) => name === 'math')).toHaveLength(2)
    expect(words).toContain('let x = "<b>"')
    expect(words).toContain('[ ] one')
    expect(names).not.toContain('script')
    expect(tags.find(({ attributes }) => attributes['http-equiv'])?.attributes['content']).toMatch(
      /^default-src 'none'; style-src 'sha256-/,
    )
  })

  test('links a mark to its source and the source to the web', async () => {
    const { tags, words } = readHtml(await written('html', talk))
    const links = tags
      .filter(({ name }) => name === 'a')
      .map(({ attributes }) => attributes['href'])
    expect(links).toEqual(['#m2-1', 'https://example.com/a%20b'])
    expect(tags.filter(({ attributes }) => attributes['id'] === 'm2-1')).toHaveLength(1)
    expect(words).toContain('or not[2].')
    expect(words).toContain('It goes 20 km | a day')
  })

  test('has collapsed steps, or none', async () => {
    const count = async (steps: boolean) =>
      readHtml(await written('html', talk, { options: { steps } })).tags.filter(
        ({ name }) => name === 'details',
      ).length
    expect([await count(true), await count(false)]).toEqual([2, 0])
  })

  test('names attachments and describes how an answer ended', async () => {
    const failed: ChatMessage = {
      ...answer,
      state: 'broken',
      error: { code: 'STREAM_CUT', message: 'It was cut', retriable: true, at: 0 },
    }
    const { words } = readHtml(await written('html', [question, failed]))
    expect(words).toContain('Image: probe.png')
    expect(words).toContain('interrupted')
    expect(words).toContain('STREAM_CUT: It was cut')
  })
})

test('writes a long answer completely, including its last words', async () => {
  const long = messageOf({ id: 'l', text: `${'word **bold** \n\n'.repeat(20_000)}The end` })
  for (const format of ['md', 'html', 'json'] as const)
    expect(await written(format, [long])).toContain('The end')
  expect(headOf().messages).toBe(1)
})
