import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { FaultRule } from '../../src/local-service/fault-injection/rules.ts'
import type { ChatSettings } from '../../src/shared/model/chat.ts'
import { embedded, newBase } from '../local-service/fixtures/knowledge.ts'
import {
  agentChat,
  agentPath,
  assistantPath,
  openChats,
  patient,
  plainChat,
  type ChatSetup,
} from './chat-service.ts'

const handbook = `# 公园管理处

## 假期

Everyone has thirty days of paid leave in a year – 每人每年有三十天带薪假期。

## Parking

The garage under the building has forty places: “fifty euros” a month, 😀.
`

let chats: ChatSetup
let base = ''
beforeAll(async () => {
  chats = await openChats()
  chats.lectern.page.setDefaultTimeout(60_000)
  base = await newBase(chats.service, { name: 'Office' })
  await embedded(chats.service, base, 'handbook.md', handbook, { knowledge_type: '1' })
})
afterEach(() => chats.misbehave())
afterAll(() => chats.close())

const page = () => chats.lectern.page
const answer = () => page().getByTestId('answer').last()
const failure = () => page().getByTestId('thread-pane').getByTestId('failure')
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const words = async (): Promise<string> => {
  const answerText = answer().locator('[data-words]')
  return (await answerText.count()) === 0 ? '' : flat(await answerText.innerText())
}
/** Returns the text of a finished, nonempty answer, once it is rendered. */
const allWords = async (): Promise<string> => {
  await expect.poll(words, patient).not.toBe('')
  await page().waitForTimeout(300)
  return words()
}
const ended = () =>
  page().locator('[data-testid="answer"]:not([data-state="running"])').last().waitFor()

const kinds: readonly [string, string, () => ChatSettings, string][] = [
  [
    'the agent',
    agentPath,
    () => ({ ...agentChat, knowledgeIds: [base] }),
    'How many days of paid leave are there?',
  ],
  [
    'an assistant',
    assistantPath,
    () => ({ ...plainChat, assistantId: '65a265419d72d299a9230616' }),
    '(1250 + 380) * 1.19',
  ],
]

/** Streams that are corrupted midway, and answers that are replaced by another response. */
const corrupted: readonly FaultRule[] = [
  ...(['mid-error', 'mid-error-named', 'mid-error-bare'] as const).flatMap((name) =>
    [1, 9, 11].map((afterEvents) => ({ answer: name, afterEvents })),
  ),
  { answer: 'no-end' },
  ...[0, 700, 2600, 3000, 3400].map((cutAfterBytes) => ({ cutAfterBytes })),
  { hangUp: true },
  ...(['429', '500', '503', '401', 'quota', 'content', 'html', 'malformed', 'empty'] as const).map(
    (name) => ({ answer: name }),
  ),
]

describe.each(kinds)('%s', (_, path, settings, question) => {
  const ask = async (): Promise<void> => {
    await chats.begin(settings())
    const field = page().getByTestId('composer').getByRole('textbox')
    await field.fill(question)
    await field.press('Enter')
    await answer().waitFor()
    await ended()
  }

  test('keeps received text, shows one state and retries the answer for any corrupted stream', async () => {
    await ask()
    const whole = await allWords()
    let withWords = 0
    for (const rule of corrupted) {
      const named = JSON.stringify(rule)
      await chats.misbehave({ path, ...rule })
      await ask()
      const savedText = await words()
      if (savedText !== '') withWords += 1
      expect(whole.startsWith(savedText), named).toBe(true)
      const state = await answer().getAttribute('data-state')
      // The text was complete before the connection broke.
      if (state === 'done') await expect.poll(words, { ...patient, message: named }).toBe(whole)
      else {
        expect(['broken', 'failed'], named).toContain(state)
        await failure().first().waitFor()
        expect(await failure().count(), named).toBe(1)
        await chats.misbehave()
        await failure().getByRole('button', { name: 'Retry' }).click()
        await page().locator('[data-testid="answer"][data-state="done"]').waitFor()
        await expect.poll(words, { ...patient, message: named }).toBe(whole)
        expect(await failure().count(), named).toBe(0)
        expect(await page().getByTestId('question').count(), named).toBe(1)
        if (savedText === '') continue
        // The interrupted attempt is a version of the answer, with the text it received.
        await answer().getByRole('button', { name: 'Previous version' }).click()
        await expect.poll(words, { ...patient, message: named }).toBe(savedText)
      }
    }
    expect(withWords).toBeGreaterThan(2)
  })

  test.each<FaultRule>([
    { splitCharacters: true },
    { pieceBytes: 1 },
    { delayMs: 200, chunkDelayMs: 5 },
  ])('shows the whole answer for a stream as %o', async (rule) => {
    await ask()
    const whole = await allWords()
    await chats.misbehave({ path, ...rule })
    await ask()
    expect(await answer().getAttribute('data-state')).toBe('done')
    await expect.poll(words, patient).toBe(whole)
  })
})
