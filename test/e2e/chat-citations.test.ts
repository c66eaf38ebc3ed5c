import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChatSettings } from '../../src/shared/model/chat.ts'
import { dataOf, embedded, newBase } from '../local-service/fixtures/knowledge.ts'
import { makePdf, paper } from '../local-service/fixtures/papers.ts'
import { findings } from './axe.ts'
import { openChats, type ChatSetup } from './chat-service.ts'
import { dropFiles } from './gestures.ts'

/** A busy machine may be slow. */
const patient = { timeout: 90_000 }

const pages = [
  'The great lamp of the northern lighthouse is lit at dusk and burns until the sun is up.',
  'Barrels of whale oil are kept in the cellar below the stairs, never in the tower itself.',
  'Every keeper writes the direction of the wind into the log at six in the morning.',
]
/** Top of the paragraph of each page, in points. */
const tops = [200, 300, 400]
const left = 90
const question =
  'When is the lamp of the lighthouse lit? Where are the barrels of oil kept? What does the keeper write into the log?'

let chats: ChatSetup
let base: string
/** ID of the newest chat. */
let chat: string
const page = () => chats.lectern.page
const answers = () => page().getByTestId('answer')
const timeline = () => page().getByTestId('answer-timeline')
const pane = () => page().getByTestId('source-pane')
const chips = () => answers().last().locator('[data-words] .md-cite')
const sourceStatus = () => page().getByTestId('source-status').textContent()
const lit = (on: number) => page().locator(`[data-page="${on}"] [data-testid="source-highlight"]`)

/** Starts a chat with the agent over a knowledge base, asks a question, and waits for the answer. */
async function ask(from: string): Promise<void> {
  const settings: ChatSettings = {
    kind: 'agent',
    knowledgeIds: [from],
    topK: null,
    topN: null,
    rerank: false,
    similarityThreshold: null,
    model: null,
    temperature: null,
    maxSteps: null,
    thinking: true,
  }
  chat = await chats.begin(settings)
  const field = page().getByTestId('composer').getByRole('textbox')
  await field.fill(question)
  await field.press('Enter')
  await page().locator('[data-testid="answer"][data-state="done"]').waitFor(patient)
}

beforeAll(async () => {
  chats = await openChats()
  page().setDefaultTimeout(60_000)
  // Sources can be fetched by their IDs with developer tools.
  await page().keyboard.press('Control+k')
  await page().keyboard.type('Show developer tools')
  await page().getByRole('option', { name: 'Show developer tools' }).click()
  const bytes = await makePdf(
    pages.map(
      (text, at) =>
        ({ flow }) =>
          void flow(text, left, paper.height - (tops[at] ?? 0), 400),
    ),
  )
  base = await newBase(chats.service, { name: 'Coast' })
  // Each page is a separate slice.
  await embedded(chats.service, base, 'lighthouse.pdf', bytes, { knowledge_type: '6' })
  await page().evaluate(() => void (location.hash = '#/documents'))
  await dropFiles(page(), [{ name: 'lighthouse.pdf', type: 'application/pdf', bytes }])
  await page().getByRole('link', { name: 'lighthouse' }).first().waitFor(patient)
  await ask(base)
})
afterAll(() => chats.close())

test('shows the reasoning and the tool calls of an answer, with their input and output', async () => {
  const head = timeline().locator('button').first()
  expect(await head.getAttribute('aria-expanded')).toBe('false')
  await head.click()
  for (const kind of ['reasoning', 'thought', 'rewrite', 'retrieval'])
    expect(await timeline().locator(`[data-kind="${kind}"]`).count()).toBeGreaterThan(0)
  const search = timeline().locator('[data-kind="retrieval"]').first()
  await search.locator('button.line').click()
  expect(await search.getByTestId('passage').count()).toBeGreaterThan(0)
  expect(await search.textContent()).toContain('lighthouse.pdf')
  await head.click()
})

test('numbers citations in order of appearance, and counts sources like citations', async () => {
  await expect.poll(() => chips().count(), patient).toBeGreaterThanOrEqual(3)
  const marks = await chips().allTextContents()
  const first = [...new Set(marks)]
  expect(first).toEqual(first.map((_, at) => String(at + 1)))
  expect(await timeline().getByTestId('answer-sources').textContent()).toContain(
    `${first.length} sources`,
  )
  await chips().nth(1).click()
  expect(await pane().locator('h2').textContent()).toBe(`Source ${marks[1]} of ${first.length}`)
})

test('opens the pages of three citations, each with its rectangle on the text', async () => {
  await expect.poll(() => chips().count(), patient).toBeGreaterThanOrEqual(3)
  const seen = new Set<number>()
  for (const chip of await chips().all()) {
    await chip.click()
    const passage = (await pane().getByTestId('source-passage').textContent()) ?? ''
    const at = pages.findIndex((text) => passage.includes(text.slice(0, 30)))
    expect(at).toBeGreaterThanOrEqual(0)
    await expect.poll(sourceStatus, patient).toBe(`1 of 1, page ${at + 1}`)
    await expect.poll(() => lit(at + 1).count(), patient).toBe(1)
    const [place, sheet] = await Promise.all([
      lit(at + 1).boundingBox(),
      page()
        .locator(`[data-testid="source-pages"] [data-page="${at + 1}"]`)
        .boundingBox(),
    ])
    if (!place || !sheet) throw new Error('Nothing is drawn')
    // The letters of the first line are above its baseline.
    const top = ((place.y - sheet.y) / sheet.height) * paper.height
    expect(Math.abs(top - ((tops[at] ?? 0) - 9))).toBeLessThan(9)
    expect(Math.abs(((place.x - sheet.x) / sheet.width) * paper.width - left)).toBeLessThan(6)
    expect(await pane().locator('mark').count()).toBeGreaterThan(0)
    seen.add(at)
  }
  expect(seen).toEqual(new Set([0, 1, 2]))
  expect(await findings(page())).toEqual([])
})

test('opens a source in Documents at its page', async () => {
  const shown = Number(/page (\d+)/.exec((await sourceStatus()) ?? '')?.[1])
  await page().getByTestId('source-open-document').click()
  await page().getByTestId('document-reader').waitFor()
  await expect
    .poll(
      () =>
        page()
          .locator(`[data-testid="document-reader"] [data-page="${shown}"]`)
          .first()
          .evaluate((sheet) => {
            const { top, bottom } = sheet.getBoundingClientRect()
            return top < innerHeight && bottom > innerHeight / 3
          }),
      patient,
    )
    .toBe(true)
  await page().goBack()
  await chips().first().waitFor()
})

test('fetches positions by the two IDs of the provider, and saves them with the answer', async () => {
  const request = {
    messages: [{ role: 'user', content: question }],
    retrieval: { know_ids: [base] },
  }
  const reply = await chats.service.call('/zrag/agent/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  const responseText = await reply.text()
  const requestId = /"messageId":"([^"]+)"/.exec(responseText)?.[1] ?? ''
  const nodeId = /"callId":"([^"]+)","toolName":"knowledge_retrieval"/.exec(responseText)?.[1] ?? ''
  expect([requestId, nodeId]).not.toContain('')
  await timeline().getByTestId('answer-sources').click()
  const form = pane().getByTestId('source-ids')
  await form.locator('summary').first().click()
  const fetchNode = async (node: string): Promise<void> => {
    await form.getByLabel('Request ID').fill(requestId)
    await form.getByLabel('Node ID').fill(node)
    await form.getByRole('button', { name: 'Fetch' }).click()
  }
  await fetchNode('no-such-node')
  await form.getByTestId('failure').waitFor()
  await fetchNode(nodeId)
  await form.getByText(requestId).waitFor()
  // They are the existing passages: none is added.
  expect(await pane().getByTestId('passage').count()).toBe(3)
})

test('highlights a document that was added as text by its words', async () => {
  await page().evaluate(() => void (location.hash = '#/documents'))
  await page().getByRole('link', { name: 'lighthouse' }).first().click()
  await page().getByRole('button', { name: 'Parse', exact: true }).click()
  await page().getByTestId('document-more').click(patient)
  await page().getByTestId('add-to-knowledge-base').click(patient)
  const form = page().getByTestId('add-to-knowledge-base-form')
  await form.getByRole('radio', { name: 'New knowledge base' }).check()
  await form.getByLabel('Name').fill('Handed over')
  await form.getByRole('checkbox', { name: 'Mark page breaks' }).check()
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  const line = page().getByTestId('document-knowledge-base')
  await expect.poll(() => line.innerText(), patient).toMatch(/^Added to “Handed over”/)
  const { list } = await dataOf<{ list: readonly { id: string; name: string }[] }>(
    chats.service,
    'GET',
    '/llm-application/open/knowledge?page=1&size=100',
  )
  await ask(list.find(({ name }) => name === 'Handed over')?.id ?? '')
  await chips().first().click()
  await expect.poll(sourceStatus, patient).toMatch(/^1 of \d+, page \d$/)
  const on = Number(/page (\d)/.exec((await sourceStatus()) ?? '')?.[1])
  await expect.poll(() => lit(on).count(), patient).toBeGreaterThan(0)
  // The page is shown, not a line of the text.
  expect(await answers().last().textContent()).toMatch(/\.md, p\. \d/)
  expect(await pane().getByTestId('source').textContent()).toContain(`p. ${on}`)
  expect(await pane().textContent()).not.toMatch(/line \d/)
  // Each citation opens the page of the sentence before it, although they have the same source.
  for (const [at, chip] of (await chips().all()).entries()) {
    await chip.click()
    await expect.poll(sourceStatus, patient).toMatch(new RegExp(`, page ${at + 1}$`))
  }
  // It is identified by where it was added from, not by its name.
  expect(await pane().textContent()).not.toContain('known by its name')
})

test('highlights the sources of an old answer without the provider', async () => {
  await chats.service.stop()
  await page().evaluate((id) => void (location.hash = `#/chats/${id}`), chat)
  await page().reload()
  await expect.poll(() => chips().count(), patient).toBeGreaterThanOrEqual(3)
  await chips().first().click()
  await expect.poll(sourceStatus, patient).toMatch(/^1 of \d+, page \d$/)
  const on = Number(/page (\d)/.exec((await sourceStatus()) ?? '')?.[1])
  await expect.poll(() => lit(on).count(), patient).toBeGreaterThan(0)
})
