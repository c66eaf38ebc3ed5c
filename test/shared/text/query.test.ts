import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { indexTokens } from '../../../src/shared/text/cut.ts'
import { anyExpression, queryTokens } from '../../../src/shared/text/query.ts'

function indexOf(texts: readonly string[]): Database.Database {
  const db = new Database(':memory:')
  db.exec(`CREATE VIRTUAL TABLE words USING fts5(body, tokenize='ascii', prefix='1')`)
  const insert = db.prepare('INSERT INTO words(rowid, body) VALUES (?, ?)')
  for (const [i, text] of texts.entries()) insert.run(i, indexTokens(text))
  return db
}

const found = (db: Database.Database, question: string): readonly number[] =>
  db
    .prepare<[string], { rowid: number }>(
      'SELECT rowid FROM words WHERE words MATCH ? ORDER BY bm25(words)',
    )
    .all(anyExpression(question))
    .map(({ rowid }) => rowid)

test('splits a question into words, and into pairs for scripts without spaces', () => {
  expect(queryTokens('How do I reset the PASSWORD? The password!')).toEqual([
    'how',
    'do',
    'i',
    'reset',
    'the',
    'password',
  ])
  expect(queryTokens('年假怎么申请')).toEqual(['年假', '假怎', '怎么', '么申', '申请'])
  expect(queryTokens('A 组')).toEqual(['a', '组'])
  expect(queryTokens(' ?! ')).toEqual([])
})

test('finds texts that share any of a question’s words, best match first', () => {
  const db = indexOf([
    'The office opens at nine.',
    'To reset your password, open Settings.',
    '员工可以在系统里申请年假。',
    '打印机的纸用完了。',
  ])
  expect(found(db, 'how can I reset a password')).toEqual([1])
  expect(found(db, '年假怎么申请?')).toEqual([2])
  // A single character is found in the middle of a run, too.
  expect(found(db, '纸')).toEqual([3])
  db.close()
})

test('causes no index error for any question', () => {
  const db = indexOf(['a "b" OR c', 'x'])
  for (const question of ['"', 'a AND (', 'NEAR(a b)', '* ^ :', 'body : x', "'; --"])
    if (anyExpression(question) !== '') expect(() => found(db, question)).not.toThrow()
  const long = Array.from({ length: 2000 }, (_, i) => `word${i}`).join(' ')
  expect(queryTokens(long)).toHaveLength(256)
  expect(found(db, `${long} x`)).toEqual([])
  expect(found(db, `x ${long}`)).toEqual([1])
  db.close()
})
