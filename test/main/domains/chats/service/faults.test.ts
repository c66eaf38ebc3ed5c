import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ChatSettings } from '../../../../../src/shared/model/chat.ts'
import { agent, assistant } from '../../../app/chat-setup.ts'
import { embedded, newBase } from '../../../../local-service/fixtures/knowledge.ts'
import { startTestService, type TestService } from '../../../../local-service/fixtures/service.ts'
import { chatSetup } from './chat-setup.ts'

const handbook = `# 公园管理处

## 假期

Everyone has thirty days of paid leave in a year – 每人每年有三十天带薪假期。

## Parking

The garage under the building has forty places: “fifty euros” a month, 😀.
`

let service: TestService
let base = ''
beforeAll(async () => {
  service = await startTestService({ faults: true })
  base = await newBase(service, { name: 'Office' })
  await embedded(service, base, 'handbook.md', handbook, { knowledge_type: '1' })
})
afterAll(() => service.stop())
afterEach(() => service.call('/__faults', { method: 'DELETE' }))

const fault = (rule: object): Promise<unknown> =>
  service.call('/__faults', { method: 'POST', body: JSON.stringify(rule) })

const kinds: readonly [string, string, () => ChatSettings, string][] = [
  [
    'the agent',
    '/zrag/agent/chat',
    () => ({ ...agent, knowledgeIds: [base], thinking: true }),
    'How many days of paid leave are there?',
  ],
  [
    'an assistant',
    '/paas/v4/assistant',
    () => ({ ...assistant, assistantId: '65a265419d72d299a9230616' }),
    '(1250 + 380) * 1.19',
  ],
]

const replaced = [
  ['401', 'KEY_REJECTED'],
  ['403', 'PERMISSION_DENIED'],
  ['429', 'RATE_LIMITED'],
  ['500', 'SERVER_ERROR'],
  ['503', 'OVERLOADED'],
  ['quota', 'QUOTA_EXHAUSTED'],
  ['content', 'CONTENT_BLOCKED'],
  ['context', 'CONTEXT_TOO_LONG'],
  ['no-model', 'MODEL_UNKNOWN'],
  ['permission', 'PERMISSION_DENIED'],
  ['not-found', 'SERVICE_NOT_FOUND'],
  ['html', 'MALFORMED_REPLY'],
  ['malformed', 'MALFORMED_REPLY'],
  ['empty', 'MALFORMED_REPLY'],
] as const

describe.each(kinds)('%s', (_, path, settingsOf, text) => {
  const setup = () => chatSetup({ at: () => service })

  test('reports one clear failure for a response of the wrong kind, and succeeds on a retry', async () => {
    const { begin, ask, chats, over, stream } = await setup()
    for (const [answer, code] of replaced) {
      const id = begin(settingsOf())
      await fault({ path, answer })
      const turn = await ask(id, text)
      const failed = await over(turn.answer?.id ?? '')
      const wanted = { state: 'failed', text: '', steps: [], error: { code } }
      expect(failed, answer).toMatchObject(wanted)
      expect(chats.get(id).state).toBe('idle')
      await service.call('/__faults', { method: 'DELETE' })
      const again = await chats.regenerate(failed.id, stream(), 'page')
      const answered = await over(again.answer?.id ?? '')
      expect(answered, answer).toMatchObject({ state: 'done', error: null })
      expect(answered.text).not.toBe('')
    }
  })

  test('preserves the text received before a stream was corrupted, for every corruption', async () => {
    const { begin, ask, over, pushed, chats, stream } = await setup()
    const id = begin(settingsOf())
    const right = await ask(id, text)
    const whole = await over(right.answer?.id ?? '')
    expect(whole.state).toBe('done')
    const body = whole.text
    // The agent's events have no finish reason: that fault only repeats the last event.
    const ways = ['mid-error', 'mid-error-named', 'mid-error-bare']
    if (path.startsWith('/paas')) ways.push('mid-error-finish')
    const spoiling = [
      ...ways.flatMap((answer) => [0, 1, 3, 9, 11].map((afterEvents) => ({ answer, afterEvents }))),
      { answer: 'no-end' },
      ...[0, 1, 100, 700, 1500, 2200, 2600, 3000, 3400].map((cutAfterBytes) => ({ cutAfterBytes })),
      { hangUp: true },
    ]
    let withWords = 0
    for (const rule of spoiling) {
      const other = begin(settingsOf())
      await fault({ path, ...rule })
      const streamId = stream()
      const turn = await ask(other, text, { streamId })
      const ended = await over(turn.answer?.id ?? '')
      const label = `${JSON.stringify(rule)}: ${ended.state} ${ended.error?.code ?? ''}`
      expect(pushed(streamId), label).toBe(ended.text)
      expect(body.startsWith(ended.text), label).toBe(true)
      const something = ended.text !== '' || ended.steps.length > 0
      if (ended.text !== '') withWords += 1
      // A connection that breaks after the complete text loses nothing.
      if (ended.state === 'done') expect(ended.text, label).toBe(body)
      else {
        expect(ended.state, label).toBe(something ? 'broken' : 'failed')
        expect(ended.error, label).not.toBeNull()
      }
      expect(ended.steps.every((step) => step.kind === 'unknown' || step.endedAt !== null)).toBe(
        true,
      )
      expect(chats.get(other).state).toBe('idle')
      await service.call('/__faults', { method: 'DELETE' })
    }
    expect(withWords).toBeGreaterThan(2)
    // One of them is requested again.
    await fault({ path, times: 1, answer: 'mid-error', afterEvents: 3 })
    const broken = await ask(begin(settingsOf()), text)
    const cut = await over(broken.answer?.id ?? '')
    const again = await chats.regenerate(cut.id, stream(), 'page')
    expect((await over(again.answer?.id ?? '')).text).toBe(body)
  })

  test.each([
    { splitCharacters: true },
    { pieceBytes: 1 },
    { delayMs: 200, chunkDelayMs: 5 },
    { contentType: '' },
  ])('reads the correct answer from a stream split as %o', async (rule) => {
    const { begin, ask, over, pushed, stream } = await setup()
    const right = await ask(begin(settingsOf()), text)
    const whole = await over(right.answer?.id ?? '')
    await fault({ path, ...rule })
    const streamId = stream()
    const turn = await ask(begin(settingsOf()), text, { streamId })
    const ended = await over(turn.answer?.id ?? '')
    expect(ended).toMatchObject({ state: 'done', text: whole.text, notice: whole.notice })
    expect(ended.steps.map(({ kind }) => kind)).toEqual(whole.steps.map(({ kind }) => kind))
    expect(pushed(streamId)).toBe(whole.text)
  })
})
