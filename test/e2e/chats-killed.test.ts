import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { emptyAnswer, foldAnswer, type AnswerEvent } from '../../src/shared/chats/answer.ts'
import {
  agentChat,
  agentPath,
  assistantPath,
  openChats,
  patient,
  plainChat,
  assistantAnswerRule,
  agentAnswerRule,
  type ChatSetup,
} from './chat-service.ts'

let chats: ChatSetup

beforeAll(async () => {
  chats = await openChats()
  chats.lectern.page.setDefaultTimeout(60_000)
})
afterAll(() => chats.close())

const page = () => chats.lectern.page
const field = () => page().getByTestId('composer').getByRole('textbox')
const questions = () => page().getByTestId('question')
const answers = () => page().getByTestId('answer')
const failure = () => page().getByTestId('failure')
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
const words = async (at: number): Promise<string> =>
  flat(await answers().nth(at).locator('[data-words]').innerText())
const ask = async (text: string): Promise<void> => {
  await field().fill(text)
  await field().press('Enter')
  await questions().filter({ hasText: text }).waitFor()
}
const chunks = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${name} ${at} of the answer. `)

/** Returns the stored answer in the folder as a killed app left it: read from a copy. */
async function stored(question: string): Promise<{ text: string; kinds: readonly string[] }> {
  const copy = await mkdtemp(join(tmpdir(), 'lectern-left-'))
  onTestFinished(() => rm(copy, { recursive: true, force: true }))
  await cp(chats.lectern.home, copy, {
    recursive: true,
    filter: (path) => !path.includes('this-computer'),
  })
  const database = new Database(join(copy, 'library.db'))
  try {
    const rows = database
      .prepare(
        `SELECT events FROM message_events WHERE message_seq = (
           SELECT a.seq FROM messages a JOIN message_bodies q ON q.message_seq = a.parent_seq
           WHERE q.text = ? AND a.role = 'assistant') ORDER BY first_seq`,
      )
      .all(question) as readonly { events: string }[]
    const events = rows.flatMap((row) => JSON.parse(row.events) as AnswerEvent[])
    const { text, steps } = events.reduce(foldAnswer, emptyAnswer)
    return { text: flat(text), kinds: steps.map(({ kind }) => kind) }
  } finally {
    database.close()
  }
}

describe.each([
  ['the agent', agentChat, agentPath, agentAnswerRule],
  ['an assistant', plainChat, assistantPath, assistantAnswerRule],
] as const)('%s is answering when Lectern is killed', (who, settings, path, answerWith) => {
  const begin = async (question: string, next: string): Promise<void> => {
    const id = await chats.begin(settings)
    await chats.misbehave(answerWith(chunks('Piece', 400), 40))
    await ask(question)
    await answers().getByText('Piece 12 ').waitFor()
    await ask(next)
    await page().getByText('Will be sent after the current answer').waitFor()
    const seen = await words(0)
    await chats.lectern.host.kill()
    const left = await stored(question)
    // Everything that was visible had been stored before.
    expect(left.text.startsWith(seen)).toBe(true)
    await chats.misbehave(
      answerWith(chunks('Rest', 3), 10),
      answerWith(['What the next one asked for.'], 10),
    )
    await chats.kill()
    page().setDefaultTimeout(60_000)
    await page().evaluate((to) => void (location.hash = to), `#/chats/${id}`)
    await answers().first().waitFor()
    await expect.poll(() => words(0), patient).toBe(left.text)
    if (settings.kind === 'agent') {
      expect(left.kinds).toEqual(['reasoning', 'call'])
      await page().getByTestId('answer-timeline').locator('button').first().waitFor()
    }
    // One status, shown once, with both actions; the queued question waits for the user.
    expect(await answers().count()).toBe(1)
    expect(await answers().first().getAttribute('data-state')).toBe('broken')
    expect(await failure().count()).toBe(1)
    expect(await failure().getAttribute('data-code')).toBe('LEFT_UNFINISHED')
    expect(await failure().getByRole('button').allInnerTexts()).toEqual(
      expect.arrayContaining(['Retry', 'Continue']),
    )
    expect(await questions().allInnerTexts()).toEqual(
      [question, next].map((one) => expect.stringContaining(one)),
    )
    expect(await page().getByRole('button', { name: 'Send now' }).count()).toBeGreaterThan(0)
    expect(await chats.requestCount(path)).toBe(0)
  }
  /** Checks that both questions are answered, each was requested once, and nothing is duplicated. */
  const over = async (
    questionTexts: readonly string[],
    answered: readonly string[],
  ): Promise<void> => {
    await answers().getByText('What the next one asked for.').waitFor()
    await page().locator('[data-testid="answer"][data-state="running"]').waitFor({
      state: 'detached',
    })
    expect(await chats.requestCount(path)).toBe(2)
    expect(await questions().allInnerTexts()).toEqual(
      questionTexts.map((one) => expect.stringContaining(one)),
    )
    const shownTexts = await Promise.all(answered.map((_, at) => words(at)))
    expect(shownTexts).toEqual(answered)
    expect(await answers().count()).toBe(answered.length)
  }
  const rest = flat(chunks('Rest', 3).join(''))

  test('keeps the stored text and continues it on request', async () => {
    const [first, next] = [`Will ${who} go on?`, `And after that, ${who}?`]
    await begin(first, next)
    const partial = await words(0)
    await failure().getByRole('button', { name: 'Continue' }).click()
    await over(
      [first, 'go on exactly where', next],
      [partial, rest, 'What the next one asked for.'],
    )
    expect(await page().locator('[data-testid="answer"][data-state="broken"]').count()).toBe(1)
  })

  test('keeps the stored text as a version and retries on request', async () => {
    const [first, next] = [`Will ${who} begin again?`, `And then, ${who}?`]
    await begin(first, next)
    const partial = await words(0)
    await failure().getByRole('button', { name: 'Retry' }).click()
    await over([first, next], [rest, 'What the next one asked for.'])
    await answers().first().getByRole('button', { name: 'Previous version' }).click()
    await expect.poll(() => words(0), patient).toBe(partial)
    expect(await answers().first().getAttribute('data-state')).toBe('broken')
  })
})

test('is unaffected by a second kill during recovery', async () => {
  const id = await chats.begin(agentChat)
  await chats.misbehave(agentAnswerRule(chunks('Piece', 400), 40))
  await ask('Dead twice?')
  await answers().getByText('Piece 6 ').waitFor()
  await chats.lectern.host.kill()
  const left = await stored('Dead twice?')
  await chats.kill()
  await chats.kill()
  page().setDefaultTimeout(60_000)
  await page().evaluate((to) => void (location.hash = to), `#/chats/${id}`)
  await expect.poll(() => words(0), patient).toBe(left.text)
  expect(await answers().first().getAttribute('data-state')).toBe('broken')
  expect(await failure().count()).toBe(1)
})
