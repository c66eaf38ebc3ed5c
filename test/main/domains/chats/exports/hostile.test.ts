import { Parser } from 'htmlparser2'
import MarkdownIt from 'markdown-it'
import { describe, expect, test } from 'vitest'
import type { AnswerStep } from '../../../../../src/shared/chats/answer-step.ts'
import { messageOf, seeded, written } from './made.ts'

const hostile = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '![remote](https://tracker.example/pixel.png)',
  '![][ref]\n\n[ref]: https://tracker.example/two.png',
  '[press](javascript:alert(1))',
  '[press](java&#115;cript:alert(1))',
  String.raw`[press](javascript\:alert(1))`,
  '[press](<javascript:alert(1)>)',
  '[press][j]\n\n[j]: javascript:alert(1)',
  '> [k]: javascript:alert(1)\n\n[k]',
  '[data](data:text/html;base64,PHNjcmlwdD4=)',
  '<a href="vbscript:x">x</a>',
  '</details></article><iframe src="https://evil.example"></iframe>',
  '<svg><animate onbegin=alert(1) /></svg>',
  '<style>@import "https://evil.example"</style>',
  '<!-- <script>alert(1)</script> -->',
  '$\\href{javascript:alert(1)}{x}$ and $<img src=x>$',
  '`<b>code</b>` $[x](javascript:alert(1))$',
  '<https://example.com/"onmouseover="alert(1)>',
  '<reference data-ref="1"></reference><reference data-ref="9"></reference>',
  '```\n<script>inside()</script>\n',
  '[bank](https://bank.example@evil.example/) <https://bank.example:x@evil.example> [r][k2]\n\n[k2]: https://bank.example@evil.example',
  '\ud800 half \u0000 control \u202e turned',
]

const foundStep = (text: string): AnswerStep => ({
  kind: 'call',
  callId: '1',
  tool: '<script>tool()</script>',
  arguments: { query: text },
  result: {
    value: [{ text, document_name: '"><script>x</script>', url: 'javascript:alert(1)' }],
    status: '<i>',
  },
  textAt: 0,
  startedAt: 0,
  endedAt: 1500,
  durationMs: null,
})

const talk = (text: string) => [
  messageOf({
    id: 'q',
    text,
    attachments: [{ kind: 'image', mediaId: 'm', name: `${text}.png` }],
  }),
  messageOf({
    id: 'a',
    parentId: 'q',
    role: 'assistant',
    text,
    steps: [
      { kind: 'reasoning', text, textAt: 0, startedAt: 0, endedAt: 2000 },
      foundStep(text),
      { kind: 'unknown', name: text, data: text, textAt: 0, startedAt: 0 },
    ],
    error: { code: 'STREAM_CUT', message: text, retriable: true, at: 0 },
  }),
  messageOf({ id: 'z', parentId: 'a', text: 'The last words' }),
]
const head = { title: '</title><script>t()</script>', tags: ['"><b>'], who: '<u>' }

interface Tag {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}
function tagsOf(html: string): readonly Tag[] {
  const tags: Tag[] = []
  const parser = new Parser({
    onopentag: (name, attributes) => void tags.push({ name, attributes }),
  })
  parser.write(html)
  parser.end()
  return tags
}

const acting = /^(?:script|iframe|img|svg|object|embed|link|base|form|input|video|audio|animate)$/
const mayLead = /^(?:https?:|mailto:|#)/

function expectInert(html: string): void {
  for (const { name, attributes } of tagsOf(html)) {
    expect(name).not.toMatch(acting)
    for (const [key, value] of Object.entries(attributes)) {
      expect(key).not.toMatch(/^on|^src|^style$|^srcdoc$/)
      if (key === 'href' || key === 'xlink:href') expect(value).toMatch(mayLead)
    }
  }
}

describe.each(hostile)('a message that contains %j', (text) => {
  test('is plain text in HTML: nothing runs, is fetched or breaks out', async () => {
    const html = await written('html', talk(text), { head })
    expectInert(html)
    const names = tagsOf(html).map(({ name }) => name)
    expect(names.filter((name) => name === 'article')).toHaveLength(3)
    expect(names.filter((name) => name === 'style')).toHaveLength(1)
    expect(names.filter((name) => name === 'details')).toHaveLength(3)
    expect(html).toContain('The last words')
  })

  test('is plain text in Markdown, even for a renderer that allows HTML', async () => {
    const text2 = await written('md', talk(text), { head })
    const reader = new MarkdownIt({ html: true, linkify: false })
    // Disables the renderer's own validation: the file itself is tested.
    reader.validateLink = () => true
    const html = reader.render(text2.replace(/^---\n[\s\S]*?\n---\n/, ''))
    for (const { name, attributes } of tagsOf(html)) {
      expect(name).not.toMatch(acting)
      for (const key of Object.keys(attributes)) expect(key).not.toMatch(/^on/)
      const href = attributes['href']
      if (href !== undefined) expect(href).toMatch(/^(?:https?:|mailto:|#|unsafe:)/)
    }
    expect(html).toMatch(/<p>The last words<\/p>/)
    const headings = tagsOf(html).filter(({ name }) => name === 'h2')
    expect(headings).toHaveLength(3)
  })
})

test('no link is disguised as another host, in text or sources of an answer', async () => {
  const text =
    'See<reference data-ref="1"></reference> [bank](https://bank.example@evil.example/), [b][k]\n\n<https://bank.example@evil.example/>\n\n[k]: https://bank.example@evil.example'
  const step = foundStep('words')
  const source = {
    text: 'Found',
    score: 1,
    title: 'Bank',
    url: 'https://bank.example@evil.example',
  }
  const call = { ...step, result: { value: [source], status: 'success' } } as AnswerStep
  const messages = [
    messageOf({ id: 'q' }),
    messageOf({ id: 'a', parentId: 'q', role: 'assistant', text, steps: [call] }),
  ]
  const reader = new MarkdownIt({ html: true, linkify: false })
  for (const html of [
    await written('html', messages),
    reader.render(await written('md', messages)),
  ])
    for (const { attributes } of tagsOf(html))
      expect(attributes['href'] ?? '').not.toMatch(/^https?:.*@/)
})

test('keeps any combination of such fragments inert in both (fixed seeds)', async () => {
  const fragments = [
    ...hostile,
    '\n',
    '\n\n',
    '> ',
    '- ',
    '    ',
    '`',
    '$',
    '[',
    '](',
    ')',
    '<',
    '>',
    '\\',
    '&',
  ]
  for (let seed = 1; seed <= 60; seed += 1) {
    const random = seeded(seed)
    const text = Array.from(
      { length: 12 },
      () => fragments[Math.floor(random() * fragments.length)] ?? '',
    ).join('')
    expectInert(await written('html', talk(text)))
    const reader = new MarkdownIt({ html: true })
    reader.validateLink = () => true
    const html = reader.render(
      (await written('md', talk(text))).replace(/^---\n[\s\S]*?\n---\n/, ''),
    )
    for (const { name, attributes } of tagsOf(html)) {
      expect(name, JSON.stringify(text)).not.toMatch(acting)
      expect(attributes['href'] ?? '', JSON.stringify(text)).not.toMatch(
        /^\s*(?:javascript|vbscript|data):/i,
      )
    }
  }
})
