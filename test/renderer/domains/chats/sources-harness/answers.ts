import type { AnswerStep } from '../../../../../src/shared/chats/answer-step.ts'
import type { ChatMessage } from '../../../../../src/shared/model/chat.ts'
import type { Block, DocumentItem } from '../../../../../src/shared/model/document.ts'

/** Start time of the answers in the harness, in Unix ms. */
export const began = 1_800_000_000_000

/** Text on the pages of the document, two sentences per page. */
export const sentences = [
  'The lamp of the lighthouse is lit at dusk and burns until dawn.',
  'Two keepers share the watch and change at midnight.',
  'Every keeper writes the weather into the log three times a day.',
  'A gale is written in red ink, with the hour it began.',
  'Oil is kept in the cellar below the stairs, never in the tower.',
  'The stairs are swept each morning before the watch ends.',
]
const size = { width: 600, height: 800 }
const box = (half: number) => ({
  x0: 60,
  x1: 540,
  top: 80 + 300 * half,
  bottom: 160 + 300 * half,
  ...size,
})
const passage = (ref: number, text: string, places: readonly (readonly [number, number])[]) => ({
  ref,
  text,
  score: 0.9 - ref / 10,
  metadata: {
    _id: `s${ref}`,
    knowledge_id: 'k1',
    doc_id: 'd1',
    doc_name: 'Lighthouse.pdf',
    positions: places.map(([page, half]) => ({ page, ...box(half) })),
    line: null,
    sheet_name: null,
  },
})
const call = (
  callId: string,
  tool: string,
  given: unknown,
  value: unknown,
  status = 'success',
): AnswerStep => ({
  kind: 'call',
  callId,
  tool,
  arguments: given,
  result: { value, status },
  textAt: 0,
  startedAt: began + 1200,
  endedAt: began + 1685,
  durationMs: 485,
})
const tool = (type: string, more: object): AnswerStep => ({
  kind: 'tool',
  call: { type, ...more } as Extract<AnswerStep, { kind: 'tool' }>['call'],
  textAt: 0,
  startedAt: began + 2000,
  endedAt: began + 3500,
})
/**
 * Passages on two pages, on one page and without a position; a row of a sheet; one that is hidden on request.
 */
export const steps: readonly AnswerStep[] = [
  {
    kind: 'reasoning',
    text: 'The question is about the lamp.\nI look for its hours.',
    textAt: 0,
    startedAt: began,
    endedAt: began + 1200,
  },
  call(
    'a',
    'query_rewrite',
    { question: 'And when is it lit?' },
    { queries: ['lighthouse lamp lit', 'lamp hours'] },
  ),
  call('b', 'knowledge_retrieval', { query: 'lighthouse lamp lit', know_ids: ['k1'] }, [
    passage(1, `${sentences[1] ?? ''} ${sentences[2] ?? ''}`, [
      [1, 1],
      [2, 0],
    ]),
    passage(2, sentences[4] ?? '', [[3, 0]]),
    passage(3, sentences[3] ?? '', []),
    {
      ref: 4,
      text: 'Keeper: Ada\nYear: 1862',
      score: 0.2,
      metadata: { doc_id: 'd2', doc_name: 'Keepers.xlsx', sheet_name: 'Keepers', line: 7 },
    },
  ]),
  call('c', 'clock', { zone: 'UTC' }, { message: 'The tool failed' }, 'error'),
  tool('web_browser', {
    input: 'lighthouse hours',
    outputs: [
      { title: 'Lamps of the coast', link: 'https://sea.example/lamps', content: 'Lit at dusk.' },
      { title: 'Odd', link: 'javascript:alert(1)', content: 'x' },
    ],
  }),
  tool('code_interpreter', {
    input: 'print(18 * 3600)',
    outputs: [
      { logs: '64800', error: '' },
      { logs: '', error: 'ZeroDivisionError' },
    ],
  }),
  tool('drawing_tool', {
    input: 'a lighthouse',
    outputs: [{ image: 'https://sea.example/drawn.png' }],
  }),
  tool('function', {
    name: 'tides',
    arguments: '{"port":"Hull"}',
    outputs: [{ content: '{"high":"06:12"}' }],
  }),
  { kind: 'unknown', name: 'plan', data: { next: ['answer'] }, textAt: 0, startedAt: began + 3500 },
]

const mark = (n: number): string => `<reference data-ref="${n}"></reference>`

/** Stored answer. */
export const answer = (more: Partial<ChatMessage> = {}): ChatMessage => ({
  id: 'm1',
  conversationId: 'c1',
  parentId: 'q1',
  role: 'assistant',
  state: 'done',
  text: `> Two keepers share the watch.${mark(1)} Oil is kept in the cellar.${mark(2)} More.${mark(3)}`,
  depth: 1,
  siblings: ['m1'],
  attachments: [],
  steps,
  slices: [],
  streamId: null,
  nextEvent: 0,
  settings: null,
  model: null,
  engine: null,
  notice: null,
  finishReason: 'stop',
  usage: null,
  serviceMessageId: null,
  requestId: null,
  resentTurns: 0,
  error: null,
  createdAt: began,
  endedAt: began + 4000,
  ...more,
})

/** Library document of the passages; its file no longer exists, but images of its pages do. */
export const lighthouse: DocumentItem = {
  id: 'doc1',
  title: 'Lighthouse',
  mediaId: null,
  name: 'Lighthouse.pdf',
  facts: {
    mime: 'application/pdf',
    bytes: 1000,
    pages: 3,
    sizes: [size, size, size],
    locked: 'no',
    textChars: [100, 100, 100],
  },
  unlocked: false,
  versions: [],
  createdAt: began,
  updatedAt: began,
  deletedAt: null,
}

/** Its blocks, one per sentence. */
export const blocks: readonly Block[] = sentences.map((content, at) => ({
  id: `b${at}`,
  page: Math.floor(at / 2) + 1,
  order: at % 2,
  kind: 'text',
  label: 'text',
  nativeLabel: null,
  content,
  edited: null,
  box: [0.1, 0.1 + 0.375 * (at % 2), 0.9, 0.2 + 0.375 * (at % 2)],
  raw: null,
  guessed: false,
}))
