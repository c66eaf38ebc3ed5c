import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { inTurns } from '../../../../../src/main/platform/database/step-backlog.ts'
import { createConnection } from '../../../../../src/main/platform/database/connection.ts'
import { documentStore } from '../../../../../src/main/domains/documents/store/documents-store.ts'
import { migrate } from '../../../../../src/main/platform/database/migrate.ts'
import { mergeSearch } from '../../../../../src/main/platform/database/search-merge.ts'
import { aPage, aPart, aReply, aVersion, facts } from './fixture.ts'

const pages = 200

test('keeps the number of index segments low while a long document is indexed', () => {
  const db = new Database(':memory:')
  migrate(db)
  db.exec(
    `INSERT INTO media(id, sha256, bytes, mime, name, created_at) VALUES ('m', '', 1, 'application/pdf', 'n', 1)`,
  )
  const connection = createConnection({ damage: (error) => expect.fail(error.message) })
  connection.attach(db, true)
  const documents = documentStore(connection, () => 5)
  documents.create({ id: 'd', title: 'd', mediaId: 'm', name: 'd', facts: facts(pages), at: 1 })
  documents.begin(aVersion('v', 'd', [aPart('p', 1, pages)]))
  documents.sent('p')
  const texts = Array.from({ length: pages }, (_, at) => aPage(at + 1, `word${at} handles`, '拓扑'))
  documents.reply('p', aReply(texts))

  const segmentCount = db
    .prepare<[], number>('SELECT count(DISTINCT segid) FROM search_text_idx')
    .pluck()
  const step = inTurns(
    () => documents.settle(),
    () => mergeSearch(connection),
  )
  let maxSegments = 0
  let steps = 0
  while (step()) {
    steps += 1
    maxSegments = Math.max(maxSegments, segmentCount.get() ?? 0)
  }
  expect(steps).toBeGreaterThan(pages / 2)
  expect(maxSegments).toBeLessThan(30)
  const found = db
    .prepare<[string], number>('SELECT count(*) FROM search_text WHERE search_text MATCH ?')
    .pluck()
  expect(found.get('handles')).toBe(pages)
  db.close()
})

test('ends alternating work when neither task has anything left', () => {
  const done: string[] = []
  const work = (name: string, times: number) => () => times-- > 0 && done.push(name) > 0
  const step = inTurns(work('one', 4), work('other', 2))
  while (step()) continue
  expect(done).toEqual(['one', 'other', 'one', 'other', 'one', 'one'])
  expect(step()).toBe(false)
})
