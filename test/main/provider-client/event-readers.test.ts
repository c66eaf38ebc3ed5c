import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAgentReader } from '../../../src/main/provider-client/agent-chat.ts'
import { createAssistantReader } from '../../../src/main/provider-client/assistant-events.ts'
import { serviceError } from '../../../src/main/provider-client/errors.ts'
import {
  readEventReply,
  type EventReader,
  wordsOf,
} from '../../../src/main/provider-client/event-call.ts'
import { StreamBroken } from '../../../src/main/provider-client/index.ts'
import { createSlidesReader } from '../../../src/main/provider-client/slides-events.ts'
import { AppError } from '../../../src/main/errors.ts'
import { openStream } from './support.ts'

type Reply = Parameters<typeof readEventReply>[0]
type Context = Parameters<typeof readEventReply>[1]

const readers: Readonly<Record<string, (notify: () => void) => EventReader<unknown>>> = {
  agent: createAgentReader,
  assistant: createAssistantReader,
  slides: (notify) => createSlidesReader({ conversationId: '', agentId: '' }, notify),
}

/** Parses a body with the reader of an endpoint family, without a network: the value, or the error. */
async function outcomeOf(family: string, body: string): Promise<unknown> {
  const open = readers[family]
  if (!open) throw new Error(family)
  const chunks = (async function* () {
    yield Buffer.from(body)
  })()
  const context = {
    requestId: 'r',
    trace: { host: 'h' },
    mask: (text: string) => text,
    redact: (text: string) => text,
    usage: () => {},
    failure: (_: Reply, detail: Parameters<typeof serviceError>[1]) =>
      serviceError(
        { status: 200, requestId: null, logId: null, retryAfterMs: null },
        detail,
        String,
      ),
  } as unknown as Context
  return readEventReply(
    { status: 200, contentType: '', body: chunks } as unknown as Reply,
    context,
    {
      open: () => open(() => {}),
      broken: (reason, partial, raw) => new StreamBroken(reason, partial, raw),
      bounds: { maxSaved: 1e6, maxTotal: 1e6 },
    },
  ).catch((error: unknown) => error)
}

/** Names that readers use, with values that may be invalid. */
const names = [
  'type data sessionId usage status error last_error code',
  'message choices delta messages content text tool_calls function',
  'web_browser outputs input arguments finish_reason callId name result',
  'phase id',
].flatMap((line) => line.split(' '))
const leaf = fc.oneof(
  fc.constantFrom(
    'answer',
    'done',
    'tool_call',
    'tool_result',
    'session_created',
    'stop',
    'failed',
  ),
  fc.constantFrom('{"text":"a"}', '[{"id":"1"}]', '{', '', 'error', 'object', 'completed'),
  fc.jsonValue({ maxDepth: 1 }),
)
const { event } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    leaf,
    tie('event'),
    fc.array(tie('value'), { maxLength: 3 }),
  ),
  event: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
}))

test.each(Object.keys(readers))(
  'returns a value or a reportable error for any data sent to %s',
  async (family) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event as fc.Arbitrary<object>, { maxLength: 5 }),
        fc.constantFrom('stream', 'list', 'single'),
        async (events, form) => {
          const body =
            form === 'stream'
              ? openStream(events)
              : JSON.stringify(form === 'list' ? events : (events[0] ?? {}))
          const outcome = await outcomeOf(family, body)
          if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError)
          else expect(outcome).toHaveProperty('value')
        },
      ),
      { numRuns: 1500 },
    )
  },
)

test('ignores nested objects as text, and rejects excessive nesting as malformed', async () => {
  const boxes = (levels: number): string => `${'{"text":'.repeat(levels)}"a"${'}'.repeat(levels)}`
  const deep = boxes(490)
  for (const family of Object.keys(readers)) {
    const outcome = await outcomeOf(
      family,
      `data: {"type":"answer","data":${deep},"choices":[{"delta":{"content":${deep}}}]}\n\ndata: [DONE]\n\n`,
    )
    expect(outcome).toHaveProperty('value')
    for (const levels of [501, 6000, 50_000])
      expect(await outcomeOf(family, `data: ${boxes(levels)}\n\ndata: [DONE]\n\n`)).toMatchObject({
        code: 'MALFORMED_REPLY',
      })
  }
  let text = '"a"'
  for (let i = 0; i < 12; i++) text = JSON.stringify({ text })
  expect(wordsOf(text)).toContain('text')
})

test('treats empty events as keep-alives', async () => {
  const body = `${openStream([{}, {}])}data: [DONE]\n\n`
  expect(await outcomeOf('agent', body)).toMatchObject({ value: { answer: '', complete: true } })
})
