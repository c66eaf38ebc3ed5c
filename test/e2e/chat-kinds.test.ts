import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  predefinedAssistants,
  type AssistantPurpose,
} from '../../src/shared/provider/assistants.ts'
import type { ChatSettings } from '../../src/shared/model/chat.ts'
import { agentChat, agentPath, assistantPath, openChats, type ChatSetup } from './chat-service.ts'

let chats: ChatSetup

beforeAll(async () => {
  chats = await openChats()
  chats.lectern.page.setDefaultTimeout(60_000)
})
afterEach(() => chats.misbehave())
afterAll(() => chats.close())

const page = () => chats.lectern.page
const answer = () => page().getByTestId('answer').last()
const settingsOf = (
  purpose: AssistantPurpose,
  translate: { from: string; to: string } | null = null,
): ChatSettings => ({
  kind: 'assistant',
  assistantId: predefinedAssistants.find((each) => each.purpose === purpose)?.id ?? '',
  model: null,
  doSample: null,
  translate,
})
/** Asks a predefined assistant in a new chat; resolves when it has answered. */
async function ask(settings: ChatSettings, text: string): Promise<void> {
  await chats.begin(settings)
  const field = page().getByTestId('composer').getByRole('textbox')
  await field.fill(text)
  await field.press('Enter')
  await page().locator('[data-testid="answer"][data-state="done"]').last().waitFor()
}
/** Opens the timeline of the answer and one step of it. */
async function step(kind: string) {
  const timeline = answer().getByTestId('answer-timeline')
  const head = timeline.locator('button').first()
  if ((await head.getAttribute('aria-expanded')) === 'false') await head.click()
  const row = timeline.locator(`[data-testid="answer-step"][data-kind="${kind}"]`)
  await row.locator('button.line').click()
  return row.locator('.body')
}

describe('shows the on-device answers of the predefined assistants by their type', () => {
  test('shows a calculation with the executed code and its output', async () => {
    await ask(settingsOf('data'), '12 * 7 + 3')
    await answer().getByText('= 87').waitFor()
    const body = await step('code')
    await body.getByText('12 * 7 + 3').waitFor()
    expect(await body.innerText()).toContain('87')
  })

  test.each([
    ['flowcharts', 'Brew\n- Boil the water\n- Steep the tea\n- Pour'],
    ['mindMaps', 'Bees\n- Honey\n- Wax\n- Dance'],
  ] as const)('%s: renders a diagram with access to its source', async (purpose, text) => {
    await ask(settingsOf(purpose), text)
    const image = answer().locator('[data-words] img').first()
    await image.waitFor()
    await expect
      .poll(() => image.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth))
      .toBeGreaterThan(20)
  })

  test('shows a generated image in the answer and saves it', async () => {
    await ask(settingsOf('drawing'), 'A calm sea')
    const image = answer().locator('img').first()
    await image.waitFor()
    expect(await image.evaluate((img) => Reflect.get(img, 'src') as string)).toContain(
      chats.lectern.mediaBase,
    )
    await expect
      .poll(() => image.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth))
      .toBeGreaterThan(20)
  })

  test.each([
    ['prompts', 'Write a letter to my landlord about the heating. Be polite. Keep it short.'],
    ['slides', 'Bees\n- Honey\n  - Sweet\n- Wax'],
    ['grammar', 'He go to school every days.'],
    ['papers', 'What do bees do?'],
    ['webSearch', 'Who found penicillin?'],
    ['programming', 'Sort a list in Python'],
    ['fiction', 'A dragon in the rain'],
    ['chat', 'How are you?'],
  ] as const)('%s answers with text, and its engine is named', async (purpose, text) => {
    await ask(settingsOf(purpose), text)
    const words = answer().locator('[data-words]')
    // Rendered in the frames after it appears.
    await expect.poll(async () => (await words.innerText()).length).toBeGreaterThan(20)
  })

  test('reports that no on-device engine can make a translation', async () => {
    await ask(settingsOf('chat', { from: 'en', to: 'fr' }), 'Good morning')
    expect(await answer().locator('[data-words]').innerText()).toMatch(/translat/i)
  })
})

test('shows web pages as cards that confirm links, and the content of functions and unknown steps', async () => {
  const head = { id: 'a', conversation_id: 'c', created: 1_700_000_000, model: 'gen-4-assistant' }
  const chunk = (delta: object) => ({
    delayMs: 5,
    data: {
      ...head,
      status: 'in_progress',
      choices: [{ index: 0, delta, finish_reason: null, metadata: {} }],
    },
  })
  const tools = (...calls: readonly object[]) =>
    chunk({ type: 'tool_calls', role: 'tool', tool_calls: calls })
  await chats.misbehave({
    path: assistantPath,
    times: 1,
    reply: {
      events: [
        tools({
          type: 'web_browser',
          web_browser: {
            input: 'bees',
            outputs: [
              { title: 'On bees', link: 'https://bees.example/a', content: 'They dance.' },
              { title: '', link: 'javascript:alert(1)', content: 'Nothing to click.' },
            ],
          },
        }),
        tools({
          type: 'function',
          function: {
            name: 'count',
            arguments: '{"of":"bees"}',
            outputs: [{ content: '{"n":3}' }],
          },
        }),
        tools({ type: 'telescope', telescope: { looks: 'far' } }),
        tools({
          type: 'retrieval',
          retrieval: { outputs: [{ text: 'They dance in eights.', document: 'bees.pdf' }] },
        }),
        chunk({
          type: 'content',
          role: 'assistant',
          content:
            'Three sources were read. <reference data-ref="3"></reference><reference data-ref="4"></reference>',
        }),
        {
          delayMs: 5,
          data: {
            ...head,
            status: 'completed',
            choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
          },
        },
        { data: '[DONE]', delayMs: 0 },
      ],
    },
  })
  await ask(settingsOf('webSearch'), 'What do bees do?')
  await answer().getByText('Three sources were read.').first().waitFor()
  const web = await step('web')
  expect(await web.getByTestId('web-card').count()).toBe(2)
  await web.getByRole('button', { name: 'bees.example' }).click()
  await page().getByRole('dialog').getByText('https://bees.example/a').waitFor()
  await page().keyboard.press('Escape')
  expect(await web.locator('a[href^="javascript"]').count()).toBe(0)
  const called = await step('function')
  await called.getByText('bees').first().waitFor()
  const strange = await step('unknown')
  await strange.getByText('far').first().waitFor()
  // Web pages are sources too: the passage is the third one, and there is no fourth.
  const found = await step('retrieval')
  await found.getByText('They dance in eights.').first().waitFor()
  const marks = answer().locator('[data-words] .md-cite')
  expect(await marks.evaluateAll((all) => all.map((one) => one.localName))).toEqual([
    'button',
    'span',
  ])
  await marks.first().click()
  const pane = page().getByTestId('source-pane')
  expect(await pane.getByTestId('source-passage').textContent()).toBe('They dance in eights.')
  expect(await pane.locator('h3').first().textContent()).toBe('bees.pdf')
})

test('lists retrieved sources without a citation below the answer', async () => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    delayMs: 5,
    data: {
      id: 'a',
      conversation_id: 'c',
      created: 1_700_000_000,
      model: 'gen-4-assistant',
      status: finish_reason === null ? 'in_progress' : 'completed',
      choices: [{ index: 0, delta, finish_reason, metadata: {} }],
    },
  })
  const outputs = ['a', 'b'].map((one) => ({
    title: `On bees, ${one}`,
    link: `https://bees.example/${one}`,
    content: 'They dance.',
  }))
  const call = { type: 'web_browser', web_browser: { input: 'bees', outputs } }
  const events = [
    chunk({ type: 'tool_calls', role: 'tool', tool_calls: [call] }),
    chunk({ type: 'content', role: 'assistant', content: 'Bees dance.' }),
    chunk({}, 'stop'),
    { data: '[DONE]', delayMs: 0 },
  ]
  await chats.misbehave({ path: assistantPath, times: 1, reply: { events } })
  await ask(settingsOf('webSearch'), 'What do bees do?')
  await answer().getByTestId('sources-entry').click()
  await expect.poll(() => page().getByTestId('source-pane').getByTestId('passage').count()).toBe(2)
})

test('offers no sources below an answer of the agent that has none', async () => {
  const sessionId = 'session-1'
  const events = [
    { type: 'session_created', data: { sessionId } },
    { type: 'answer', data: 'Bees dance.' },
    { type: 'done', messageId: 'message-1', data: 'Bees dance.' },
  ].map((event) => ({ delayMs: 0, data: { sessionId, ...event } }))
  await chats.misbehave({ path: agentPath, times: 1, reply: { events } })
  await ask(agentChat, 'What do bees do?')
  expect(await answer().innerText()).toContain('Bees dance.')
  expect(await answer().getByTestId('sources-entry').count()).toBe(0)
})

test('says the page of a document and the time of a meeting, and opens the meeting there', async () => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    delayMs: 5,
    data: {
      id: 'a',
      conversation_id: 'c',
      created: 1_700_000_000,
      model: 'gen-4-assistant',
      status: finish_reason === null ? 'in_progress' : 'completed',
      choices: [{ index: 0, delta, finish_reason, metadata: {} }],
    },
  })
  const outputs = [
    { text: 'They dance in eights.', document: 'bees.pdf', page: 12 },
    { text: 'We looked at the hive.', document: 'Standup', meeting_id: 'meeting-1', seconds: 754 },
  ]
  const content =
    'Bees dance.<reference data-ref="1"></reference><reference data-ref="2"></reference>'
  const events = [
    chunk({
      type: 'tool_calls',
      role: 'tool',
      tool_calls: [{ type: 'retrieval', retrieval: { outputs } }],
    }),
    chunk({ type: 'content', role: 'assistant', content }),
    chunk({}, 'stop'),
    { data: '[DONE]', delayMs: 0 },
  ]
  await chats.misbehave({ path: assistantPath, times: 1, reply: { events } })
  await ask(settingsOf('chat'), 'What do bees do?')
  const paper = answer().getByRole('button', { name: 'Source 1, p. 12', exact: true })
  await paper.waitFor()
  expect(await paper.evaluate((chip) => getComputedStyle(chip, '::after').content)).toContain(
    'p. 12',
  )
  await answer().getByRole('button', { name: 'Source 2, 12:34', exact: true }).click()
  const pane = page().getByTestId('source-pane')
  await pane.getByText('12:34').waitFor()
  expect(await pane.getByText('Not in your Library').count()).toBe(0)
  await pane.getByRole('link', { name: 'Open in Meetings' }).click()
  await page().waitForURL(/#\/meetings\/meeting-1\?t=754$/)
})
