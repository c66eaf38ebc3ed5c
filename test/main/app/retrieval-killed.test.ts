import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { killed } from '../../fixtures/killed.ts'
import { memoryKeychain, testApp, type TestApp } from '../../fixtures/app.ts'
import {
  startScriptedServer,
  type ScriptedReply,
  type ScriptedServer,
} from '../../fixtures/scripted-server.ts'
import { ended, settingsOf } from './retrieval-setup.ts'

const key = 'key-of-the-account'
const json = (value: unknown, status = 200): ScriptedReply => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
})
const slice = (name: string) => ({
  text: `Words of ${name}`,
  score: 0.5,
  metadata: { _id: name, knowledge_id: 'base', doc_id: 'd', doc_name: 'd.md', doc_url: '' },
})

let server: ScriptedServer
let lectern: TestApp
let accountId: string
let setId: string
const keychain = memoryKeychain()
const questions = Array.from({ length: 8 }, (_, at) => `Question ${at}?`)
/** Returns the questions that reached the service, in order. */
const sentQuestions = (): readonly string[] =>
  server.requests
    .filter(({ url }) => url.endsWith('/retrieve'))
    .map(({ body }) => (JSON.parse(body.toString('utf8')) as { query: string }).query)

beforeEach(async () => {
  server = await startScriptedServer()
  server.always(({ url, body }) =>
    url.endsWith('/retrieve')
      ? json({
          code: 200,
          data: [slice((JSON.parse(body.toString('utf8')) as { query: string }).query)],
        })
      : json({ voice_list: [] }),
  )
  lectern = await testApp({ keychain })
  const account = await lectern.call('accounts.create', {
    preset: 'custom',
    name: 'Scripted',
    baseUrl: server.url,
  })
  accountId = account.id
  await lectern.call('accounts.setKey', { id: accountId, key })
  await lectern.call('accounts.activate', { id: accountId })
  const set = await lectern.call('retrieval.createSet', {
    title: 'Killed',
    settings: settingsOf('base', { rerank: 'off' }),
  })
  setId = set.id
  await lectern.call('retrieval.addQuestions', {
    setId,
    questions: questions.map((text) => ({ text })),
  })
})
afterEach(async () => {
  await lectern.remove()
  await server.close()
})

const onlyRun = async (): Promise<string> => {
  const { runs } = await lectern.call('retrieval.runs', { setId })
  expect(runs).toHaveLength(1)
  return runs[0]?.id ?? ''
}

test.each([
  ['received, and before it is stored', 'read', 9],
  ['stored, and before it is reported', 'stored', 8],
])('loses nothing when killed after an answer is %s', async (_, when, calls) => {
  await lectern.stop()
  const file = join(import.meta.dirname, 'retrieval-killed.ts')
  const child = spawn(process.execPath, [file, lectern.home, accountId, key, setId, 'base', when], {
    stdio: 'inherit',
  })
  await killed(child)
  expect(sentQuestions()).toHaveLength(3)
  lectern = await testApp({ home: lectern.home, keychain })
  const id = await onlyRun()
  expect(await ended(lectern, id)).toMatchObject({ done: 8, failed: 0, total: 8 })
  expect(sentQuestions()).toHaveLength(calls)
  expect(new Set(sentQuestions())).toEqual(new Set(questions))
  const { rows } = await lectern.call('retrieval.run', { id })
  expect(rows.map(({ question, state, hits }) => [question, state, hits])).toEqual(
    questions.map((question) => [question, 'done', 1]),
  )
})

test('waits for the network, keeps results on a stop, and retries only failed questions', async () => {
  let answers = 0
  server.always(({ url }) => {
    if (!url.endsWith('/retrieve')) return json({ voice_list: [] })
    answers += 1
    return answers === 2
      ? json({ error: { code: '1214', message: 'no such base' } }, 400)
      : { ...json({ code: 200, data: [slice('a')] }), ...(answers === 4 && { hang: true }) }
  })
  const run = await lectern.call('retrieval.start', {
    setId,
    settings: settingsOf('base', { rerank: 'off' }),
  })
  await expect.poll(() => sentQuestions().length).toBe(4)
  const stopped = await lectern.call('retrieval.stop', { id: run.id })
  expect(stopped).toMatchObject({ state: 'stopped', done: 2, failed: 1 })
  await lectern.call('retrieval.retry', { id: run.id })
  expect(await ended(lectern, run.id)).toMatchObject({ state: 'done', done: 8, failed: 0 })
  expect(sentQuestions()).toHaveLength(10)
})

test('waits for a missing key, reports that, and continues', async () => {
  await lectern.call('accounts.clearKey', { id: accountId })
  const run = await lectern.call('retrieval.start', {
    setId,
    settings: settingsOf('base', { rerank: 'off' }),
  })
  await expect
    .poll(async () => (await lectern.call('retrieval.run', { id: run.id })).run.waiting)
    .toBe(1)
  expect(sentQuestions()).toEqual([])
  const { rows } = await lectern.call('retrieval.run', { id: run.id })
  expect(rows[0]?.error?.code).toBe('NO_KEY')
  await lectern.call('accounts.setKey', { id: accountId, key })
  expect(await ended(lectern, run.id)).toMatchObject({ done: 8, waiting: 0 })
})

test('shows in every run why its account accepts nothing, and continues them all', async () => {
  await lectern.call('accounts.clearKey', { id: accountId })
  const settings = settingsOf('base', { rerank: 'off' })
  const ids: string[] = []
  for (let n = 0; n < 3; n++)
    ids.push((await lectern.call('retrieval.start', { setId, settings })).id)
  for (const id of ids)
    await expect
      .poll(async () => {
        const { run, rows } = await lectern.call('retrieval.run', { id })
        return [run.waiting, rows[0]?.error?.code]
      })
      .toEqual([1, 'NO_KEY'])
  expect(sentQuestions()).toEqual([])
  await lectern.call('accounts.setKey', { id: accountId, key })
  for (const id of ids) expect(await ended(lectern, id)).toMatchObject({ done: 8, waiting: 0 })
  expect(sentQuestions()).toHaveLength(24)
})

test.each(['run', 'test set'])(
  'requests nothing of a removed %s, and continues a restored one',
  async (what) => {
    let answers = 0
    server.always(({ url }) => {
      if (!url.endsWith('/retrieve')) return json({ voice_list: [] })
      answers += 1
      return { ...json({ code: 200, data: [slice('a')] }), ...(answers === 3 && { hang: true }) }
    })
    const settings = settingsOf('base', { rerank: 'off' })
    const { id } = await lectern.call('retrieval.start', { setId, settings })
    await expect.poll(() => sentQuestions().length).toBe(3)
    if (what === 'run') await lectern.call('retrieval.removeRuns', { ids: [id] })
    else await lectern.call('library.remove', { ids: [setId] })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(sentQuestions()).toHaveLength(3)
    if (what === 'run') await lectern.call('retrieval.restoreRuns', { ids: [id] })
    else await lectern.call('library.restore', { ids: [setId] })
    expect(await ended(lectern, id)).toMatchObject({ state: 'done', done: 8, failed: 0 })
    expect(sentQuestions()).toHaveLength(9)
  },
)
