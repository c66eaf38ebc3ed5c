import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import {
  createConnection,
  type Connection,
} from '../../../../../src/main/platform/database/connection.ts'
import { documentStore } from '../../../../../src/main/domains/documents/store/documents-store.ts'
import type { DocumentsStore } from '../../../../../src/main/domains/documents/store/documents-types.ts'
import { itemStore } from '../../../../../src/main/domains/library/store/items-store.ts'
import { migrate } from '../../../../../src/main/platform/database/migrate.ts'
import { growsWithItsInput } from '../../../../fixtures/growth.ts'
import { aBlock, aPart, aReply, aVersion, facts } from './fixture.ts'

/** Wraps a connection to record its statements. */
function noting(connection: Connection): Connection & { readonly statements: Set<string> } {
  const statements = new Set<string>()
  return {
    ...connection,
    get writable() {
      return connection.writable
    },
    statements,
    get: (sql, ...values) => (statements.add(sql), connection.get(sql, ...values)),
    all: (sql, ...values) => (statements.add(sql), connection.all(sql, ...values)),
    run: (sql, ...values) => (statements.add(sql), connection.run(sql, ...values)),
  }
}

function library(): {
  readonly db: Database.Database
  readonly connection: ReturnType<typeof noting>
} {
  const db = new Database(':memory:')
  migrate(db)
  db.pragma('foreign_keys = ON')
  const connection = createConnection({ damage: () => undefined })
  connection.attach(db, true)
  db.exec(
    `INSERT INTO media(id, sha256, bytes, mime, name, created_at) VALUES ('m', '', 1, 'application/pdf', 'n', 1)`,
  )
  return { db, connection: noting(connection) }
}

const words = 'every compact surface is a sphere with handles 拓扑学 研究 空间 的 性质'.split(' ')
const text = (seed: number): string =>
  Array.from({ length: 40 }, (_, at) => words[(seed * 7 + at * at) % words.length]).join(' ')

/** Creates a document and parses all of its pages, with twelve blocks each, in parts of 25. */
function aBook(documents: DocumentsStore, id: string, pages: number): void {
  documents.create({ id, title: id, mediaId: 'm', name: id, facts: facts(pages), at: 1 })
  const parts = Array.from({ length: pages / 25 }, (_, at) =>
    aPart(`${id}-${at}`, 25 * at + 1, 25 * at + 25),
  )
  documents.begin(aVersion(`v-${id}`, id, parts))
  for (const part of parts) {
    documents.sent(part.id)
    const numbers = Array.from({ length: 25 }, (_, at) => part.first + at)
    documents.reply(
      part.id,
      aReply(
        numbers.map((page) => ({
          page,
          blocks: Array.from({ length: 12 }, (_, at) => aBlock(at, text(page * 12 + at))),
          raster: null,
          regime: 'pixels',
        })),
        { markdown: '' },
      ),
    )
  }
  while (documents.settle()) continue
}

test('reads a range of pages at the cost of the range, not of the document', () => {
  const { db, connection } = library()
  const documents = documentStore(connection, () => 5)
  aBook(documents, 'short', 50)
  aBook(documents, 'long', 400)
  const read = (id: string, pages: number): void => {
    for (let again = 0; again < 6; again++)
      for (let first = 1; first <= pages; first += 25)
        documents.blocks(id, { first, last: first + 24 })
  }
  expect(growsWithItsInput((times) => read(times === 8 ? 'long' : 'short', 50 * times))).toBe(true)
  const query = (id: string) => () => {
    for (let at = 0; at < 60; at++) {
      documents.blocks(id, { first: 40, last: 50 })
      documents.pages(id, { first: 40, last: 50 })
      documents.find(id, 'sphere', { from: 40, limit: 1 })
      documents.returned(id, 50)
      documents.head(id)
    }
  }
  // With eight times the pages, eight times the cost is tolerated; 64 times (each page reads all) is not.
  expect(growsWithItsInput((times) => query(times === 8 ? 'long' : 'short')())).toBe(true)
  db.close()
})

test('imports pages in linear time', () => {
  const { db, connection } = library()
  const documents = documentStore(connection, () => 5)
  let made = 0
  expect(growsWithItsInput((times) => aBook(documents, `book${made++}`, 25 * times))).toBe(true)
  db.close()
})

/** Tables that no call may scan completely. */
const wide =
  /^(?:SCAN) (?:document_(?:pages|blocks|parts|versions|replies|pictures|remote)|documents|items|[pvbgqsdir])\b(?! USING (?:COVERING )?INDEX (?:document_parts_queue|document_parts_sent|document_versions_open|document_remote_waiting|items_live|items_binned))/

test('reads no more of a long document than each call needs', () => {
  const { db, connection } = library()
  const documents = documentStore(connection, () => 5)
  const items = itemStore(connection)
  aBook(documents, 'd', 100)
  documents.begin(
    aVersion('v2', 'd', [aPart('x', 1, 10), aPart('y', 11, 20)], {
      pages: [{ first: 1, last: 40 }],
    }),
  )
  documents.accounts()
  documents.next({ accountId: 'a', at: 1, exceptParts: ['z'], exceptDocuments: ['b'] })
  documents.nextTime(1)
  documents.sent('x')
  documents.putBack('x')
  documents.fail('x', { code: 'OFFLINE', message: '', retriable: true, at: 1 }, 5)
  documents.split('x', [aPart('x1', 1, 5), aPart('x2', 6, 10)])
  documents.sent('y')
  documents.restart()
  documents.part('y')
  documents.parts('v2')
  documents.unplanned('v2')
  documents.known('m', 'print')
  documents.reuse('v2')
  documents.unfinished()
  documents.setPriority('v2', 3)
  documents.cancel('v2')
  documents.choose('d', [30], 'v-d')
  const block = documents.blocks('d', { first: 30, last: 31 })[0]
  documents.edit('d', block?.id ?? '', 'x')
  documents.block(block?.id ?? '')
  documents.pages('d')
  documents.pages('d', { versionId: 'v2', first: 2, last: 3 })
  documents.blocks('d', { versionId: 'v2', first: 2, last: 3 })
  documents.find('d', 'sphere')
  documents.returned('d', 3, 'v2')
  documents.rawReply('y')
  documents.get('d')
  documents.byMedia('m')
  documents.setOriginal('d', 'm')
  documents.putPageImage('d', { page: 1, width: 160, height: 200, mediaId: 'm' })
  documents.pageImages('d', { width: 160, first: 1, last: 5 })
  documents.remoteWaiting(1, 5)
  documents.remoteImages('d')
  items.list({ bin: false, limit: 50 })
  items.rename('d', 'Another', 6)
  while (documents.settle()) continue
  items.purge(['d'])
  while (documents.settle()) continue
  const bad: string[] = []
  for (const sql of connection.statements) {
    const values = Array.from(sql.matchAll(/\?/g), () => null)
    for (const row of db
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...values))
      if (wide.test(row.detail)) bad.push(`${row.detail}: ${sql}`)
  }
  expect(bad).toEqual([])
  db.close()
})
