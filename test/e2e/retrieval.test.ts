import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AgentSettings } from '../../src/shared/model/chat.ts'
import type { BridgeClient } from '../fixtures/bridge-client.ts'
import { eventually } from '../fixtures/eventually.ts'
import { findings } from './axe.ts'
import { openLectern, type Lectern } from './lectern.ts'
import { caption, travelBase } from './retrieval-setup.ts'
import { secondPage } from './second-page.ts'

/** A busy machine may be slow. */
const patient = { timeout: 60_000 }
const questionText = 'What does a ticket for the night train cost?'

let lectern: Lectern
let second: BridgeClient
let baseId: string
let setId = ''
let chunkRequestId = ''

beforeAll(async () => {
  lectern = await openLectern()
  await lectern.page.getByRole('button', { name: 'Skip' }).click()
  second = await secondPage(lectern.home)
  await second.call('settings.update', { developer: true })
  baseId = await travelBase(second)
})
afterAll(async () => {
  second.close()
  await lectern.close()
})

interface ReplyHit {
  readonly score: number
  /** ID of the slice at the provider. */
  readonly id: string
}
/** Returns the results of a row, read from the raw reply. */
async function hitsOf(runId: string, at: number): Promise<readonly ReplyHit[]> {
  const { reply } = await second.call('retrieval.raw', { runId, at })
  const { data } = JSON.parse(reply?.body ?? '{}') as {
    data: readonly { score: number; metadata: Readonly<Record<string, string>> }[]
  }
  return data.map(({ score, metadata }) => ({ score, id: metadata['_id'] ?? '' }))
}
const settled = (id: string) =>
  eventually(async () => {
    const { run, rows } = await second.call('retrieval.run', { id })
    if (run.state === 'running') throw new Error('it runs')
    return rows
  })
const go = (path: string): Promise<void> =>
  lectern.page.evaluate((to) => void (location.hash = to), path)
const hits = (side: 'left' | 'right') =>
  lectern.page.locator(`[data-side='${side}'] [data-testid='result']`)

test('searches in both modes by keyboard alone, rates results side by side and saves them', async () => {
  const { page } = lectern
  await page.keyboard.press('Control+3')
  await page.getByRole('link', { name: 'Knowledge bases' }).press('Enter')
  await page.getByRole('radio', { name: 'Knowledge bases' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('textbox', { name: 'Question', exact: true }).waitFor(patient)
  const base = page.getByRole('checkbox', { name: /Travel/ })
  await base.waitFor(patient)
  await base.focus()
  await page.keyboard.press('Space')
  await page.getByRole('textbox', { name: 'Question', exact: true }).focus()
  await page.keyboard.insertText(questionText)
  await page.keyboard.press('Enter')
  await hits('right').first().waitFor(patient)
  await hits('left').first().waitFor(patient)

  const { runs } = await second.call('retrieval.runs', { setId: null })
  const runId = runs[0]?.id ?? ''
  const [plain, reranked] = [await hitsOf(runId, 0), await hitsOf(runId, 1)]
  const shown = async (side: 'left' | 'right', score: string) =>
    hits(side).locator(`[data-testid='score-${score}']`).allInnerTexts()
  const figures = (all: readonly ReplyHit[]) => all.map(({ score }) => score.toFixed(3))
  expect((await shown('left', 'recall')).map((text) => text.split(' ').at(-1))).toEqual(
    figures(plain),
  )
  expect((await shown('right', 'rerank')).map((text) => text.split(' ').at(-1))).toEqual(
    figures(reranked),
  )
  const moves = reranked.map(({ id }, at) => {
    const from = plain.findIndex((one) => one.id === id)
    return from === -1 ? 'new' : String(from - at)
  })
  const marks = page.locator("[data-side='right'] [data-testid='rank-change']")
  expect(await marks.evaluateAll((all) => all.map((one) => one.getAttribute('data-move')))).toEqual(
    moves,
  )
  // The image of the retrieved page, fetched and saved by main.
  await hits('left')
    .filter({ hasText: caption })
    .getByRole('img', { name: caption })
    .waitFor(patient)
  expect(await findings(page)).toEqual([])

  await hits('left').first().focus()
  await page.keyboard.press('3')
  await expect.poll(() => hits('left').first().getAttribute('data-grade')).toBe('3')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('0')
  await expect.poll(() => hits('left').nth(1).getAttribute('data-grade')).toBe('0')
  await page.getByRole('button', { name: 'Add to test set…' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Name' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: /^Questions/ }).waitFor(patient)
  setId = (await second.call('retrieval.sets', {})).sets[0]?.id ?? ''
  const { entries } = await second.call('retrieval.set', { id: setId })
  expect(entries).toMatchObject([{ text: questionText, judged: 2, relevant: 1 }])
})

test('runs a test set twice with a changed setting, and shows correct differences', async () => {
  const { page } = lectern
  await page.getByTestId('import-questions').setInputFiles({
    name: 'more.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('question,note\nHow long are dumplings boiled?,\nWhere can I park?,\n'),
  })
  await page.getByText('2 questions imported.').waitFor(patient)
  await page.getByRole('button', { name: 'Run test set' }).click()
  const head = page.locator("[data-testid='run-head'][data-state='done']")
  await head.waitFor(patient)
  await page.getByTestId('run-row').nth(1).click()
  // The relevant result is not the first: a changed order changes the metrics.
  await hits('left').nth(1).waitFor(patient)
  await hits('left').nth(1).focus()
  await page.keyboard.press('2')
  await expect.poll(() => hits('left').nth(1).getAttribute('data-grade')).toBe('2')

  await page.getByRole('radio', { name: 'Settings' }).check({ force: true })
  await page.getByRole('radio', { name: 'Keyword' }).check({ force: true })
  await page.getByRole('textbox', { name: 'Results', exact: true }).fill('2')
  await page.keyboard.press('Tab')
  await expect
    .poll(async () => (await second.call('retrieval.set', { id: setId })).settings)
    .toMatchObject({ topK: 2, recallMethod: 'keyword' })
  await page.getByRole('button', { name: 'Run test set' }).click()
  await head.waitFor(patient)
  await page.getByRole('radio', { name: 'Compare' }).check({ force: true })
  await page.getByTestId('comparison-summary').waitFor(patient)
  const { runs } = await second.call('retrieval.runs', { setId })
  const [after, before] = runs

  // Computes the metrics again from the raw replies. Both runs have both variants: the reranked results count.
  const k = 5
  const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length
  const { entries } = await second.call('retrieval.set', { id: setId })
  const measuresOf = async (runId: string) => {
    const rows = (await settled(runId)).filter(({ rerank }) => rerank)
    const sums: Record<string, number[]> = { hit: [], recall: [], precision: [], mrr: [], ndcg: [] }
    for (const { at, questionId } of rows) {
      const { judgements } = await second.call('retrieval.judgements', {
        questionId: questionId ?? '',
      })
      const grades = (await hitsOf(runId, at)).map(
        ({ id }): number => judgements.find(({ sliceId }) => sliceId === id)?.grade ?? 0,
      )
      const known = judgements.filter(({ grade }) => grade > 0)
      if (known.length === 0) continue
      const good = grades.slice(0, k).filter((grade) => grade > 0).length
      const first = grades.findIndex((grade) => grade > 0)
      const gain = (all: readonly number[]) =>
        all.slice(0, k).reduce((sum, grade, i) => sum + (2 ** grade - 1) / Math.log2(i + 2), 0)
      const best = known.map(({ grade }): number => grade).toSorted((x, y) => y - x)
      sums['hit']?.push(good > 0 ? 1 : 0)
      sums['recall']?.push(good / known.length)
      sums['precision']?.push(good / k)
      sums['mrr']?.push(first === -1 ? 0 : 1 / (first + 1))
      sums['ndcg']?.push(gain(grades) / gain(best))
    }
    const latency = mean(rows.map(({ tookMs: durationMs }) => durationMs ?? NaN))
    return new Map([
      ...Object.entries(sums).map(([name, all]) => [name, mean(all)] as const),
      ['latency', latency] as const,
    ])
  }
  const [a, b] = [await measuresOf(before?.id ?? ''), await measuresOf(after?.id ?? '')]
  for (const [name, value] of a) {
    const cells = page.locator(`[data-measure='${name}'] td`)
    const read = async (column: number) =>
      Number(await cells.nth(column).getAttribute('data-value'))
    expect(await read(0), `${name} of A`).toBeCloseTo(value, 8)
    expect(await read(1), `${name} of B`).toBeCloseTo(b.get(name) ?? NaN, 8)
    expect(await read(2), `${name} changed`).toBeCloseTo((b.get(name) ?? NaN) - value, 8)
  }
  expect(entries.filter(({ relevant }) => relevant > 0)).toHaveLength(2)
  const changes = await page
    .getByTestId('comparison-row')
    .evaluateAll((all) => all.map((one) => one.getAttribute('data-change')))
  const worse = changes.map(Number).filter((change) => change < 0)
  expect(changes.slice(0, worse.length).map(Number)).toEqual(worse.toSorted((x, y) => x - y))
  expect(await findings(page)).toEqual([])
  await page.getByTestId('comparison-row').first().click()
  await hits('left').first().waitFor(patient)
  await page.keyboard.press('Escape')
  await page.getByTestId('comparison-summary').waitFor(patient)
})

test('highlights chunks on their page, by their IDs and from a chat', async () => {
  const { page } = lectern
  const agent: AgentSettings = {
    kind: 'agent',
    knowledgeIds: [baseId],
    topK: null,
    topN: null,
    rerank: false,
    similarityThreshold: null,
    model: null,
    temperature: null,
    maxSteps: null,
    thinking: false,
  }
  const chat = await second.call('chats.create', { settings: agent })
  const { answer } = await second.call('chats.ask', {
    id: chat.id,
    text: questionText,
    streamId: 'retrieval-stream-1',
  })
  const message = await eventually(async () => {
    const now = await second.call('chats.message', { id: answer?.id ?? '' })
    if (now.state === 'running') throw new Error('it runs')
    return now
  })
  const call = message.steps.find(
    (step) => step.kind === 'call' && JSON.stringify(step.result).includes('89 euro'),
  )
  const nodeId = call?.kind === 'call' ? call.callId : ''
  await go('/knowledge/slices')
  await page.getByLabel('Request ID').fill(message.serviceMessageId ?? '')
  await page.getByLabel('Node ID').fill(nodeId)
  await page.keyboard.press('Enter')
  await page.getByTestId('chunk-pane').waitFor(patient)
  chunkRequestId = (await second.call('slices.list', {})).positionRequests[0]?.id ?? ''
  await page.getByTestId('passage').filter({ hasText: '89 euro' }).first().click()
  await page.getByTestId('source-highlight').first().waitFor(patient)
  expect(await page.getByTestId('source-status').innerText()).toMatch(/^1 of \d+, page 2$/)
  expect(await findings(page)).toEqual([])

  // The same from the chat: they were fetched once, and are one request.
  await second.call('chats.slices', {
    messageId: message.id,
    requestId: message.serviceMessageId ?? '',
    nodeId,
  })
  expect((await second.call('slices.list', {})).positionRequests).toHaveLength(1)
  await go(`/chats/${chat.id}`)
  const mark = page.locator('.md-cite').first()
  await mark.or(page.getByTestId('sources-entry')).first().click(patient)
  await page.getByTestId('source-ids').locator('summary').click()
  await page.getByRole('button', { name: 'Open chunks' }).click()
  await page.getByTestId('chunk-pane').waitFor(patient)
  expect(page.url()).toContain(`/knowledge/slices/${chunkRequestId}`)
  await page.getByTestId('passage').filter({ hasText: caption }).first().click()
  await page.getByTestId('source-image').waitFor(patient)
})

test('opens runs and chunks unchanged after a restart without the provider, in both languages', async () => {
  const away = await second.call('accounts.create', {
    preset: 'custom',
    name: 'Away',
    baseUrl: 'http://127.0.0.1:9',
  })
  await second.call('accounts.activate', { id: away.id })
  second.close()
  lectern = await lectern.restart()
  second = await secondPage(lectern.home)
  const { page } = lectern
  await go(`/knowledge/retrieval/${setId}?tab=compare`)
  await page.getByTestId('comparison-summary').waitFor(patient)
  expect(await page.getByTestId('comparison-row').count()).toBe(3)
  await page.getByRole('link', { name: questionText }).first().click()
  await hits('right').first().waitFor(patient)
  expect(await hits('left').first().getAttribute('data-grade')).toBe('3')
  await go(`/knowledge/slices/${chunkRequestId}`)
  await page.getByTestId('passage').filter({ hasText: '89 euro' }).first().click(patient)
  await page.getByTestId('source-highlight').first().waitFor(patient)
  await second.call('settings.update', { language: 'zh-CN' })
  await page.getByRole('button', { name: '刷新' }).waitFor(patient)
  await go(`/knowledge/retrieval/${setId}?tab=compare`)
  await page.getByText('平均耗时').waitFor(patient)
  expect(await findings(page)).toEqual([])
  expect(lectern.trouble).toMatchObject({ violations: [], errors: [], strangers: [] })
})
