import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { jsonText } from '../../../../../../src/main/domains/playground/service/runs/json-text.ts'
import { codeOf } from '../../../../platform/database/fixture.ts'
import { runsSetup } from './runs-setup.ts'

test('exports all runs that match the filter, across list pages, with their responses', async () => {
  const { store, runs, files } = await runsSetup()
  const add = (n: number, operation: string): void => {
    const id = `run-${n}`
    store.runs.create({
      id,
      accountId: 'a',
      accountName: 'A',
      operation,
      title: `Run ${n}`,
      streamId: `stream-${n}`,
      input: { query: `"${n}"` },
      mediaIds: [],
      at: n,
    })
    store.runs.keepReply(id, { status: 200, contentType: 'application/json', body: `{"n":${n}}` })
    store.runs.finish(id, { state: n % 2 === 0 ? 'done' : 'failed', at: n + 1 })
  }
  for (let n = 0; n < 260; n++) add(n, n < 250 ? 'rerank.create' : 'agents.chat')
  const read = async (wanted: Parameters<typeof runs.export>[0]) => {
    const { mediaId, count } = await runs.export(wanted)
    const file = JSON.parse(await readFile(await files.path(mediaId), 'utf8')) as {
      readonly format: string
      readonly runs: readonly {
        readonly id: string
        readonly reply: { readonly body: string }
        readonly input: { readonly query: string }
      }[]
    }
    expect([file.format, file.runs.length]).toEqual(['lectern-runs', count])
    return file.runs
  }
  const all = await read({ of: 'operations' })
  expect(all.map(({ id }) => id)).toEqual(Array.from({ length: 260 }, (_, n) => `run-${259 - n}`))
  expect(all[0]).toMatchObject({ reply: { body: '{"n":259}' }, input: { query: '"259"' } })
  expect(await read({ of: 'operations', family: 'rerank', state: 'done' })).toHaveLength(125)
  expect((await read({ of: 'operations', ids: ['run-3'] })).map(({ id }) => id)).toEqual(['run-3'])
  expect(await codeOf(() => runs.export({ of: 'rankings' }))).toBe('NOT_FOUND')
})

test('exports embedding texts unchanged, including Unicode line separators', async () => {
  const { store, runs, files } = await runsSetup()
  const texts = [{ id: 'one', text: 'a\u2028b\u2029c' }, { text: 'd' }]
  const lines = new Blob([texts.map((text) => JSON.stringify(text)).join('\n')])
  const { id: textsMediaId } = await files.intake(lines.stream(), 'texts.jsonl', lines.size)
  const about = { id: 'e', accountId: 'a', accountName: 'A', title: 'Mine', count: 2, at: 1 }
  store.embeddings.create({ ...about, textsMediaId, sets: [] })
  const { mediaId } = await runs.export({ of: 'embeddings' })
  const file = JSON.parse(await readFile(await files.path(mediaId), 'utf8')) as { runs: unknown[] }
  expect(file.runs).toMatchObject([{ id: 'e', texts }])
})

test('writes a text of any length and characters in chunks that form one JSON', () => {
  const value = {
    long: `${'ab"\\\n'.repeat(40_000)}${'😀'.repeat(70_000)}`,
    odd: ['\uD83D', null, 1.5, true, undefined],
    none: undefined,
    empty: [{}, [], ''],
  }
  const chunks = [...jsonText(value)]
  expect(JSON.parse(chunks.join(''))).toEqual(JSON.parse(JSON.stringify(value)))
  expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(900_000)
})

test('exports remote items and tasks with their newest responses, in list order', async () => {
  const { store, runs, files } = await runsSetup()
  for (const id of ['one', 'two'])
    store.remoteItems.create({
      id,
      kind: 'response',
      remoteId: `resp-${id}`,
      accountId: 'a',
      accountName: 'A',
      title: id,
      model: null,
      status: null,
      state: 'over',
      attempts: 1,
      nextPollAt: null,
      error: null,
      engine: null,
      notice: null,
      versions: 0,
      createdAt: 1,
      updatedAt: 1,
      fetchedAt: 1,
      asked: { variable: 'not for the file' },
      named: false,
      failures: 0,
      intervalMs: 1000,
    })
  for (const [at, body] of ['{"n":"old"}', '{"n":"new"}'].entries()) {
    const reply = { operation: 'responses.get', status: 200, contentType: 'application/json' }
    store.replies.add({ ...reply, itemId: null, id: `reply-${at}`, body, at })
    store.remoteItems.addVersion('two', { replyId: `reply-${at}`, status: null, at })
  }
  const { mediaId, name } = await runs.export({ of: 'responses', ids: ['two', 'gone', 'one'] })
  expect(name).toMatch(/^responses-.*\.json$/)
  const text = await readFile(await files.path(mediaId), 'utf8')
  expect(JSON.parse(text)).toMatchObject({
    of: 'responses',
    runs: [
      { id: 'two', reply: { status: 200, body: '{"n":"new"}' } },
      { id: 'one', reply: null },
    ],
  })
  expect(text).not.toContain('not for the file')
  expect(await codeOf(() => runs.export({ of: 'tasks' }))).toBe('NOT_FOUND')
})
