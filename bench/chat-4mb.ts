import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openBrowser } from '../test/fixtures/chromium.ts'
import { openHarness } from '../test/fixtures/built-harness.ts'
import { enter } from '../test/fixtures/bridge-client.ts'
import { startHost } from '../test/fixtures/host-process.ts'
import { startPacedProvider } from './chat-4mb/paced-provider.ts'
import { goesOn, mixedText, oneBlock } from './chat-4mb/texts.ts'
import { barePage, type BarePage } from './pdf-600/bare-page.ts'
import { longestTaskMs } from './pdf-600/block-tasks.ts'
import { rendererMegabytes, residentMegabytes } from './pdf-600/renderer-memory.ts'
import { against, measured, quantile, type Bench, type Row } from './row.ts'
import { activateAccount, chatSettings, streamEnd } from './stub-chat.ts'

const lettersOfToken = 4
const megabytes = 4
/** Duration of an answer at 64 KB/s. */
const seconds = (megabytes * 1024) / 64
const growthBudgetMb = 80
/** Memory that an answer may add while it streams, before the browser collects what it no longer needs. */
const peakBudgetMb = 120
const taskBudgetMs = 50
const growthBudget = 2
const mixedGoal = 150
const oneBlockGoal = 40
/** Time from the end of an answer until the browser has garbage-collected the rendering, in milliseconds. */
const restMs = 25_000

/**
 * Measures streamed answers. For 4 MB at 64 KB/s: the memory that the app needs, where a running answer is shown up to the length
 * of a message; the memory and the longest task of the view alone, which draws all of it. The cost of a token in a short and a
 * long text and in one long fence, list and table, compared with rendering the whole text again for each token.
 */
export async function measureAnswers(): Promise<readonly Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-bench-answers-'))
  const harness = await openHarness('test/renderer/lib/markdown/answer-harness')
  try {
    const client = { origin: harness.origin, cookie: 'bench=1', key: '' }
    const page = await barePage(join(folder, 'tokens'), client)
    await page.goto(`${harness.origin}/`)
    const tokens = measured(await tokenRows(page))
    await page.close()
    const app = measured(await appRows(folder))
    const view = measured(await viewRows(join(folder, 'memory'), client))
    const tasks = measured(await taskRows(harness.origin))
    return [...tokens, ...app, ...view, ...tasks]
  } finally {
    await harness.close()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Milliseconds for each token after `before`. */
async function tokenTimes(
  page: BarePage,
  before: string,
  next: string,
  plain: 'colored' | 'bare' | null,
  count: number,
): Promise<readonly number[]> {
  // Plain rendering takes seconds per token on a busy machine.
  const warmUp = plain ? 1 : 5
  const after = Array.from({ length: count + warmUp }, (_, at) => {
    const from = (at * lettersOfToken) % next.length
    return (next + next).slice(from, from + lettersOfToken)
  })
  const times = await page.evaluate(
    async ([text, chunks, how]) => {
      const way: unknown = Reflect.get(window, 'tokens')
      if (typeof way !== 'function') throw new Error('The page has no way in')
      return (await way(text, chunks, how)) as number[]
    },
    [before, after, plain] as const,
  )
  return times.slice(warmUp)
}

const mean = (times: readonly number[]): number =>
  times.reduce((sum, time) => sum + time, 0) / times.length

async function tokenRows(page: BarePage): Promise<readonly Row[]> {
  const next = mixedText(6000).slice(0, 4800)
  const rows: Row[] = []
  const small = await tokenTimes(page, mixedText(900), next, null, 400)
  const long = await tokenTimes(page, mixedText(100_000), next, null, 400)
  const plain = await tokenTimes(page, mixedText(100_000), next, 'colored', 5)
  const unit = 'ms'
  rows.push(
    against(
      { name: 'token in 100 KB of mixed text', figure: mean(long), unit },
      `in 1 KB of mixed text, goal ${growthBudget}x`,
      mean(small),
    ),
    against(
      { name: '  p95', figure: quantile(long, 0.95), unit },
      'p95 in 1 KB',
      quantile(small, 0.95),
    ),
    against(
      { name: '  complete re-rendering', figure: mean(plain), unit },
      `our token, goal ${mixedGoal}x`,
      mean(long),
    ),
  )
  for (const kind of ['fence', 'list', 'table'] as const) {
    const before = oneBlock[kind](100_000)
    const ours = mean(await tokenTimes(page, before, goesOn[kind], null, 200))
    const theirs = await tokenTimes(page, before, goesOn[kind], 'colored', 5)
    const name = `complete re-rendering of 100 KB in one ${kind}`
    rows.push(
      against({ name, figure: mean(theirs), unit }, `our token, goal ${oneBlockGoal}x`, ours),
    )
    if (kind !== 'fence') continue
    const bare = await tokenTimes(page, before, goesOn[kind], 'bare', 20)
    rows.push(
      against({ name: '  without syntax colors', figure: mean(bare), unit }, 'our token', ours),
    )
  }
  return rows
}

/** A page that receives an answer. */
interface AnswerPage {
  evaluate<Result, Argument>(
    work: (argument: Argument) => Result | Promise<Result>,
    argument: Argument,
  ): Promise<Result>
}

/** Loads the whole answer into a page, which is not measured; `run` then streams the given number of characters. */
async function streamIn(page: AnswerPage) {
  const text = mixedText(megabytes * 1024 * 1024)
  const lettersOfSecond = text.length / seconds
  await page.evaluate((whole) => void Reflect.set(window, 'whole', whole), text)
  const run = (letters: number): Promise<void> =>
    page.evaluate(
      async ([maxChars, rate]) => {
        const way: unknown = Reflect.get(window, 'stream')
        if (typeof way !== 'function') throw new Error('The page has no way in')
        await way(String(Reflect.get(window, 'whole')).slice(0, maxChars), rate)
      },
      [letters, lettersOfSecond] as const,
    )
  return { run, letters: text.length }
}

/** Growth of processes in megabytes: the maximum while `work` runs, and after a rest. */
async function growthOf(read: () => readonly number[], work: () => Promise<unknown>) {
  const before = read()
  const peaks = [...before]
  let done = false
  const ended = work().finally(() => (done = true))
  while (!done) {
    await Promise.race([ended, sleep(1000)])
    for (const [at, figure] of read().entries()) peaks[at] = Math.max(peaks[at] ?? 0, figure)
  }
  await sleep(restMs)
  const grown = (figures: readonly number[]): readonly number[] =>
    figures.map((figure, at) => figure - (before[at] ?? 0))
  return { peak: grown(peaks), idle: grown(read()) }
}

/** The view alone, with all of the text: more than a chat shows of a running answer. */
async function viewRows(
  profile: string,
  client: Parameters<typeof barePage>[1],
): Promise<readonly Row[]> {
  const page = await barePage(profile, client)
  try {
    await page.goto(`${client.origin}/`)
    const { run, letters } = await streamIn(page)
    // The page's code, including syntax highlighting, is in memory first.
    await run(60_000)
    await sleep(3000)
    const { peak, idle } = await growthOf(
      () => [rendererMegabytes(profile)],
      () => run(letters),
    )
    return growthRows('view with all of the text', peak[0], idle[0])
  } finally {
    await page.close()
  }
}

/** The built app, from the provider to the page. */
async function appRows(folder: string): Promise<readonly Row[]> {
  const provider = await startPacedProvider()
  const host = await startHost(join(folder, 'home'))
  const client = await enter(host.launchUrl)
  const profile = join(folder, 'app')
  const page = await barePage(profile, client)
  try {
    await activateAccount(client, provider.url)
    const { id } = await client.call('chats.create', { settings: chatSettings.agent })
    await page.goto(`${client.origin}/#/chats/${id}`)
    await sleep(4000)
    const text = mixedText(megabytes * 2 ** 20)
    const ask = async (answer: string, streamId: string): Promise<void> => {
      provider.answer(answer, text.length / seconds)
      const over = streamEnd(client, streamId)
      const question = { id, text: 'Go on.', attachments: [], streamId, waits: false }
      const sent = await client.call('chats.ask', question)
      await over
      const { state } = await client.call('chats.message', { id: sent.answer?.id ?? '' })
      if (state !== 'done') throw new Error(`the answer is ${state}`)
    }
    await ask(text.slice(0, 60_000), 'bench-first')
    await sleep(3000)
    const { peak, idle } = await growthOf(
      () => [rendererMegabytes(profile), residentMegabytes(host.process.pid ?? 0)],
      () => ask(text, 'bench-long'),
    )
    const drawn = await page.evaluate(() => document.querySelectorAll('.md-group').length)
    if (drawn < 20) throw new Error(`the page shows ${drawn} groups of the answer`)
    return [...growthRows('renderer', peak[0], idle[0]), ...growthRows('host', peak[1], idle[1])]
  } finally {
    await page.close()
    client.close()
    await host.stop()
    await provider.close()
  }
}

const growthRows = (process: string, peak = NaN, idle = NaN): readonly Row[] => [
  against(
    {
      name: `${process}: memory growth while ${megabytes} MB arrive at 64 KB/s`,
      figure: peak,
      unit: 'MB',
    },
    'budget',
    peakBudgetMb,
  ),
  against({ name: '  idle afterwards', figure: idle, unit: 'MB' }, 'budget', growthBudgetMb),
]

async function taskRows(origin: string): Promise<readonly Row[]> {
  const browser = await openBrowser()
  try {
    const page = await browser.page()
    await page.goto(`${origin}/`)
    const session = await page.context().newCDPSession(page)
    const { run, letters } = await streamIn(page)
    await run(30_000)
    const figure = await longestTaskMs(page, session, () => run(letters))
    const name = `longest task while ${megabytes} MB come`
    return [against({ name, figure, unit: 'ms' }, 'budget', taskBudgetMs)]
  } finally {
    await browser.close()
  }
}

export const bench: Bench = { name: 'chat-4mb', run: measureAnswers }
