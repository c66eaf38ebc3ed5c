import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { strings } from '../../../../../src/main/domains/library/store/search-entries.ts'
import type { EntrySearchQuery } from '../../../../../src/main/domains/library/store/search-entries.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { addItem, temporaryHome, withStore } from '../../../platform/database/fixture.ts'

let folder: ReturnType<typeof temporaryHome>
beforeEach(() => {
  folder = temporaryHome()
})
afterEach(() => folder.remove())

/** One entry of each kind, as its service writes it. */
const rows = `
  INSERT INTO runs(id, account_id, account_name, operation, title, state, stream_id, created_at, updated_at, input)
    VALUES ('run', 'a', 'Work', 'chat.complete', 'A question', 'done', 's', 10, 10, '{"messages":[{"role":"user","content":"How do b\\u00e9es say \\"hive\\"?"}]}');
  INSERT INTO run_results(run_id, value) VALUES ('run', '{"text":"蜜蜂跳舞","picture":"data:image/png;base64,hidden"}');
  INSERT INTO replies(id, operation, status, content_type, body, at) VALUES ('r1', 'tasks.get', 200, 'application/json', '{"video":"A lighthouse at dusk"}', 1);
  INSERT INTO tasks(id, account_id, account_name, task_id, kind, state, attempts, failures, interval_ms, reply_id, created_at, updated_at)
    VALUES ('task', 'a', 'Work', 'remote-77', 'video', 'done', 1, 0, 0, 'r1', 20, 20);
  INSERT INTO lookups(id, kind, account_id, account_name, remote_id, asked, title, state, words, created_at, updated_at)
    VALUES ('resp', 'response', 'a', 'Work', 'resp_9', 'resp_9', 'Weather', 'done', 'Rain is expected over the lighthouse', 30, 30),
           ('deck', 'slides', 'a', 'Work', 'conv_9', 'conv_9', 'Tea in five slides', 'done', '', 40, 40),
           ('gone', 'slides', 'a', 'Work', 'conv_8', 'conv_8', 'Tea in bin', 'done', '', 41, 41);
  UPDATE lookups SET removed_at = 50 WHERE id = 'gone';
  INSERT INTO rankings(id, account_id, account_name, title, query, state, count, batch, top_n, raw_scores, rounds, created_at, updated_at)
    VALUES ('rank', 'a', 'Work', 'Ranking', 'How do bees find their way home?', 'done', 1, 1, 1, 0, 1, 60, 60);
  INSERT INTO ranking_candidates(ranking_id, place, text, hash) VALUES ('rank', 0, 'They see polarised light.', 'h');
  INSERT INTO embedding_runs(id, account_id, account_name, title, state, count, texts_media_id, created_at, updated_at)
    VALUES ('emb', 'a', 'Work', 'cat, dog and 3 more', 'done', 5, 'm', 70, 70);
  INSERT INTO knowledge_bases(account_id, id, name, description, place, first_seen_at, seen_at)
    VALUES ('a', 'base', 'Returns and storage', 'What the shop promises', 0, 80, 80);
  INSERT INTO knowledge_documents(account_id, base_id, id, name, separators, state, place, first_seen_at, seen_at)
    VALUES ('a', 'base', 'd', 'Handbuch für Rücksendungen.pdf', '[]', 'done', 0, 80, 80);
  INSERT INTO entry_tags VALUES ('ranking', 'rank', 'field'), ('response', 'resp', 'field'), ('slides', 'task', 'field');`

const finder =
  (store: Store) =>
  async (query: Partial<EntrySearchQuery>): Promise<readonly string[]> => {
    const reply = await store.search.entries({ query: '', limit: 20, ...query })
    return reply.hits.map(({ kind, id, field }) => `${kind} ${id} ${field}`)
  }
async function fill(more = ''): Promise<void> {
  await withStore(folder.home, () => {})
  const db = new Database(join(folder.home, 'library.db'))
  db.exec(rows + more)
  db.close()
}

test('finds entries of the Playground and Knowledge by title and content, newest first', async () => {
  await fill()
  await withStore(folder.home, async (store) => {
    const found = finder(store)
    expect(await found({ query: 'bees' })).toEqual(['ranking rank text', 'run run text'])
    expect(await found({ query: 'say "hive"' })).toEqual(['run run text'])
    expect(await found({ query: '跳舞' })).toEqual(['run run text'])
    expect(await found({ query: 'polarised' })).toEqual(['ranking rank text'])
    expect(await found({ query: 'lighthouse' })).toEqual(['response resp text', 'task task text'])
    expect(await found({ query: 'tea' })).toEqual(['slides deck title'])
    expect(await found({ query: 'cat' })).toEqual(['embedding emb title'])
    expect(await found({ query: 'returns promises' })).toEqual(['base base text'])
    expect(await found({ query: 'rucksendungen' })).toEqual(['source d title', 'base base text'])
    expect(await found({ query: 'remote 77' })).toEqual(['task task text'])
  })
})

test('finds a table returned as HTML by its cells, and shows it without tags', async () => {
  await fill(`
    INSERT INTO slice_lookups(id, account_id, account_name, request_id, node_id, state, data, created_at)
      VALUES ('s', 'a', 'Work', 'req', 'node', 'done', '{"text":"<table><tr><td>Valve</td><td class=\\"x\\">12&nbsp;bar</td></tr></table>"}', 90);`)
  await withStore(folder.home, async (store) => {
    const { hits } = await store.search.entries({ query: 'valve', limit: 9 })
    expect(hits.map(({ snippet }) => snippet.trim())).toEqual(['Valve 12 bar'])
    expect((await store.search.entries({ query: 'td', limit: 9 })).hits).toEqual([])
  })
})

test('ignores field and file names in responses, filters by kind and day, and reports the rest', async () => {
  await fill()
  await withStore(folder.home, async (store) => {
    const found = finder(store)
    for (const query of ['role', 'picture', 'hidden', 'content']) {
      expect(await found({ query })).toEqual([])
    }
    expect(await found({ query: 'bees', kinds: ['run'] })).toEqual(['run run text'])
    expect(await found({ query: 'bees', from: 60 })).toEqual(['ranking rank text'])
    expect(await found({ query: 'bees', to: 60 })).toEqual(['run run text'])
    expect(await found({ query: 'bees', tag: 'field' })).toEqual(['ranking rank text'])
    expect(await found({ query: 'lighthouse', tag: 'field' })).toEqual(['response resp text'])
    const first = await store.search.entries({ query: 'bees', limit: 1 })
    expect(first).toMatchObject({ more: true, hits: [{ id: 'rank', account: 'Work' }] })
    const { snippet = '', ranges = [] } = first.hits[0] ?? {}
    expect(ranges.map(([from, to]) => snippet.slice(from, to))).toEqual(['bees'])
  })
})

test('filters the search of items before the limit: finds an old item after many new ones', async () => {
  await withStore(folder.home, async (store) => {
    for (let n = 0; n < 60; n++) addItem(store, `new${n}`, 'Bees', 'bees', 1000 + n)
    addItem(store, 'old', 'Bees', 'bees', 10)
    store.entries.organize({
      ids: ['old'],
      others: [],
      addTags: ['field'],
      removeTags: [],
    })
    const ids = async (narrow: object) => {
      const { hits } = await store.search.search({ query: 'bees', limit: 20, ...narrow })
      return hits.map(({ itemId }) => itemId)
    }
    expect(await ids({ to: 1000 })).toEqual(['old'])
    expect(await ids({ tag: 'field' })).toEqual(['old'])
    expect(await ids({ tag: 'field', from: 11 })).toEqual([])
    expect(await ids({})).toHaveLength(20)
  })
})

test('reads JSON strings whatever their end', () => {
  expect(strings('{"a":"one","b":["two","th')).toBe('one\ntwo\nth')
  expect(strings('"line\\nbreak \\u4f60" "cut \\u4f')).toBe('line\nbreak 你\ncut \\u4f')
  expect(strings('{"a" : 1, "b":{"c":null}}')).toBe('')
  const long = `"${'\\\\'.repeat(200_000)}`
  expect(strings(long).length).toBeGreaterThan(0)
})

test('ends a search when typing continues, without delaying a search of items', async () => {
  await fill(`WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000)
    INSERT INTO runs(id, account_id, account_name, operation, title, state, stream_id, created_at, updated_at, input)
    SELECT 'x' || x, 'a', 'Work', 'chat.complete', 'Läufe ' || x, 'done', 's', 100 + x, 1, '{"text":"' || printf('%.*c', 800, 'q') || '"}' FROM n;`)
  await withStore(folder.home, async (store) => {
    const ended: string[] = []
    const wait = (name: string, work: Promise<unknown>) =>
      work.catch(String).then((reply) => {
        ended.push(name)
        return reply
      })
    const items = wait('items', store.search.search({ query: 'hive', limit: 20 }))
    const first = wait('first', store.search.entries({ query: 'hive', limit: 20 }))
    const newer = wait('newer', store.search.entries({ query: 'hive x', limit: 20 }))
    expect(await first).toMatch(/newer/)
    expect(await newer).toMatchObject({ hits: [] })
    await items
    expect(ended).toEqual(['first', 'items', 'newer'])
    const { hits } = await store.search.entries({ query: 'hive', limit: 20 })
    expect(hits).toMatchObject([{ id: 'run' }])
  })
})
