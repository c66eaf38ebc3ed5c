import type { AnswerStep } from '../../../../../src/shared/chats/answer-step.ts'
import type {
  ChatAttachment,
  ChatMessage,
  ChatSettings,
  MessageState,
} from '../../../../../src/shared/model/chat.ts'
import { beginChat } from '../../../../../src/main/domains/chats/exports/chat-export-worker.ts'
import type {
  ChatFormat,
  ChatHead,
  ChatOptions,
} from '../../../../../src/main/domains/chats/exports/chat-export-types.ts'

/** Default settings of the agent. */
export const agent: ChatSettings = {
  kind: 'agent',
  knowledgeIds: ['kb-1'],
  topK: null,
  topN: 3,
  rerank: true,
  similarityThreshold: null,
  model: null,
  temperature: 0.5,
  maxSteps: 10,
  thinking: true,
}

/** Settings of the predefined data assistant. */
export const dataAssistant: ChatSettings = {
  kind: 'assistant',
  assistantId: '65a265419d72d299a9230616',
  model: null,
  doSample: null,
  translate: null,
}

/** A message with the given fields and defaults. */
export function messageOf(overrides: Partial<ChatMessage> & { readonly id: string }): ChatMessage {
  return {
    conversationId: 'c',
    parentId: null,
    role: 'user',
    state: 'done',
    text: '',
    depth: 0,
    siblings: [overrides.id],
    attachments: [],
    steps: [],
    slices: [],
    streamId: null,
    nextEvent: 0,
    settings: null,
    model: null,
    engine: null,
    notice: null,
    finishReason: null,
    usage: null,
    serviceMessageId: null,
    requestId: null,
    resentTurns: 0,
    error: null,
    createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
    endedAt: null,
    ...overrides,
  }
}

/** Head data of a conversation with these messages. */
export const headOf = (change: Partial<ChatHead> = {}): ChatHead => ({
  title: 'A talk',
  tags: [],
  settings: agent,
  who: null,
  createdAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  updatedAt: Date.UTC(2026, 0, 2, 4, 0, 0),
  leafId: null,
  messages: 1,
  appVersion: '1.2.3',
  exportedAt: Date.UTC(2026, 0, 3),
  ...change,
})

/** Returns a conversation as written to a file. */
export async function written(
  format: ChatFormat,
  messages: readonly ChatMessage[],
  change: { readonly head?: Partial<ChatHead>; readonly options?: Partial<ChatOptions> } = {},
): Promise<string> {
  const parts: string[] = []
  const file = { write: async (chunk: string | Uint8Array) => void parts.push(String(chunk)) }
  const head = headOf({ messages: messages.length, ...change.head })
  const options = { language: 'en', steps: true, timeZone: 'UTC', ...change.options } as const
  const writer = await beginChat(format, file, head, options)
  for (const message of messages) await writer.message({ message, hashes: {} })
  await writer.end()
  return parts.join('')
}

/** Returns a deterministic random function from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const bits = [
  'a',
  '第一',
  '\u0000',
  '\ud83d\ude00',
  '"',
  '\\',
  '\n',
  '\u2028',
  '<b>',
  '```',
  '{}',
  'é',
]

/** Random conversation: a tree of up to forty messages with all message features. */
export function anyMessages(random: () => number): readonly ChatMessage[] {
  const below = (max: number): number => Math.floor(random() * max)
  const one = <T>(of: readonly [T, ...T[]]): T => of[below(of.length)] ?? of[0]
  const text = (max: number): string =>
    Array.from({ length: below(max) }, () => bits[below(bits.length)] ?? '').join('')
  const value = (depth: number): unknown => {
    if (depth === 0 || random() < 0.4) return one([null, below(9), text(4), true, -0.5])
    if (random() < 0.5) return Array.from({ length: below(3) }, () => value(depth - 1))
    return Object.fromEntries(Array.from({ length: below(3) }, () => [text(3), value(depth - 1)]))
  }
  const orNull = <T>(made: T): T | null => (random() < 0.5 ? null : made)
  const step = (): AnswerStep => {
    const place = { textAt: below(50), startedAt: below(1e9) }
    const ended = { ...place, endedAt: orNull(below(1e9)) }
    return one<() => AnswerStep>([
      () => ({ kind: 'reasoning', text: text(20), ...ended }),
      () => ({ kind: 'thought', text: text(20), ...ended }),
      () => ({
        kind: 'call',
        callId: text(3),
        tool: text(3),
        arguments: value(3),
        result: orNull({ value: value(3), status: text(2) }),
        durationMs: orNull(below(1000)),
        ...ended,
      }),
      () => ({
        kind: 'tool',
        call: { type: one(['web_browser', 'function', 'retrieval']), outputs: [value(2)] },
        ...ended,
      }),
      () => ({ kind: 'unknown', name: text(3), data: value(2), ...place }),
    ])()
  }
  const attachment = (): ChatAttachment => ({
    kind: 'document',
    itemId: `doc-${below(5)}`,
    title: text(5),
    pages: one(['', '1-3']),
  })
  const list = <T>(max: number, make: () => T): T[] => Array.from({ length: below(max) }, make)
  const messages: ChatMessage[] = []
  for (let at = 0; at < 1 + below(40); at += 1) {
    const isAnswer = at > 0 && random() < 0.6
    const parent = isAnswer ? messages[below(at)] : random() < 0.5 ? undefined : messages[below(at)]
    messages.push(
      messageOf({
        id: `old-${at}`,
        parentId: parent?.id ?? null,
        role: isAnswer ? 'assistant' : 'user',
        state: isAnswer ? one<MessageState>(['done', 'stopped', 'failed', 'broken']) : 'done',
        text: text(60),
        depth: (parent?.depth ?? -1) + 1,
        attachments: isAnswer ? [] : list(3, attachment),
        steps: isAnswer ? list(6, step) : [],
        slices: isAnswer
          ? list(2, () => ({ requestId: text(3), nodeId: 'n', at: below(1e9), data: value(3) }))
          : [],
        settings: one([null, agent, dataAssistant]),
        model: orNull(text(3)),
        engine: orNull(text(3)),
        notice: orNull(text(9)),
        finishReason: orNull('stop'),
        usage: orNull({
          prompt: below(99),
          completion: orNull(below(99)),
          total: null,
          reasoning: orNull(0),
          cached: null,
        }),
        serviceMessageId: orNull(text(3)),
        requestId: orNull(text(3)),
        resentTurns: below(3),
        error: orNull({
          code: 'STREAM_CUT',
          message: text(9),
          retriable: random() < 0.5,
          at: below(1e9),
          ...(random() < 0.5 && { params: { seconds: below(9) }, service: { status: 500 } }),
        }),
        createdAt: Date.UTC(2026, 0, 1) + at * 1000 + below(1000),
        endedAt: orNull(below(1e9)),
      }),
    )
  }
  return messages
}
