import Database from 'better-sqlite3'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '../../../../src/main/platform/database/migrate.ts'
import { salvage } from '../../../../src/main/library-database/salvage.ts'
import { aMedia, temporaryHome, withStore } from './fixture.ts'

test('salvages rerankings and embeddings from a damaged database, with the use of their files', async () => {
  const { home, remove } = temporaryHome()
  await withStore(home, ({ rerank, embeddings, media }) => {
    const account = { accountId: 'a', accountName: 'A', title: 'T', at: 1 }
    rerank.create({
      ...account,
      id: 'r',
      query: 'Q',
      candidates: [{ text: 'one', source: null }],
      batch: 128,
      rounds: 1,
      topN: 0,
      rawScores: false,
    })
    const scores = [{ index: 0, score: 0.5 }]
    const answer = { scores, requestId: 'q', engine: null, notice: null, usage: null, reply: null }
    rerank.keepRound('r', 0, answer, 2)
    rerank.finish('r', { state: 'done', at: 3, ranked: scores })
    media.put(aMedia('texts'))
    media.put(aMedia('vectors'))
    const sets = [{ model: 'embedding-3', dimensions: 256 } as const]
    embeddings.create({ ...account, id: 'e', count: 1, textsMediaId: 'texts', sets })
    embeddings.changeSet('e', 0, { state: 'done', done: 1, of: 1, mediaId: 'vectors' }, 4)
  })
  const source = new Database(join(home, 'library.db'))
  const into = new Database(join(home, 'new.db'))
  try {
    migrate(into)
    salvage(source, into)
    const one = (sql: string): unknown => into.prepare(sql).pluck().get()
    expect(one('SELECT ranked FROM rankings')).toBe('[{"index":0,"score":0.5}]')
    expect(one('SELECT text FROM ranking_candidates')).toBe('one')
    expect(one('SELECT answered FROM rankings')).toBe(1)
    expect(one('SELECT media_id FROM embedding_sets')).toBe('vectors')
    expect(one('SELECT group_concat(uses) FROM media')).toBe('1,1')
  } finally {
    source.close()
    into.close()
    remove()
  }
})
