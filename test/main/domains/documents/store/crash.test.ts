import { spawn } from 'node:child_process'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { recount } from '../../../../../src/main/library-database/counts.ts'
import type { Store } from '../../../../../src/main/library-database/store.ts'
import { temporaryHome, withStore } from '../../../platform/database/fixture.ts'
import {
  aBlock,
  aPage,
  aPart,
  aReply,
  aVersion,
  failure,
  assertComplete,
  newDocument,
  withLibrary,
} from './fixture.ts'

const pages = 200
const rounds = 4

/** Starts the writer, kills it `ms` after it is ready, and returns the pages it printed. */
function parseAndKill(home: string, ms: number): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, 'parsing-writer.ts'), home, String(pages)],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let output = ''
    child.stdout.setEncoding('utf8')
    child.stdout.on('data', (chunk: string) => {
      if (output === '') setTimeout(() => child.kill('SIGKILL'), ms)
      output += chunk
    })
    child.on('error', reject)
    child.on('close', (_code, signal) => {
      if (signal !== 'SIGKILL') return reject(new Error(`The writer ended by ${signal}`))
      resolve(output.split('\n').slice(1, -1).map(Number))
    })
  })
}

test('loses and duplicates no reported page after kill -9 while parsing', async () => {
  const folder = temporaryHome()
  try {
    let seed = 20261121
    const reportedPages = new Set<number>()
    for (let round = 0; round < rounds; round++) {
      seed = (seed * 1103515245 + 12345) % 2 ** 31
      for (const page of await parseAndKill(folder.home, 20 + (seed % 200))) {
        expect(reportedPages.has(page), `page ${page} was sent again`).toBe(false)
        reportedPages.add(page)
      }
      await withStore(folder.home, async (store) => {
        expect(store.notice).toEqual({ state: 'ok' })
        assertComplete(store, 'd')
        while (store.documents.settle()) continue
        const blocks = Map.groupBy(store.documents.blocks('d'), (block) => block.page)
        for (const { page, state } of store.documents.pages('d', { versionId: 'v' })) {
          if (reportedPages.has(page)) expect(state).toBe('returned')
          const texts = blocks.get(page)?.map((block) => block.content) ?? []
          expect(texts).toEqual(state === 'returned' ? [`word${page} first`, `第${page}页`] : [])
          // Saved, but killed before it was reported: it exists anyway.
          if (state === 'returned') reportedPages.add(page)
        }
        const last = Math.max(...reportedPages)
        const { hits } = await store.search.search({ query: `第${last}页`, limit: 2 })
        expect(hits).toMatchObject([{ itemId: 'd', page: last }])
      })
      const db = new Database(join(folder.home, 'library.db'))
      expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
      const savedRows = (): unknown[] => [
        db.prepare('SELECT * FROM document_versions').all(),
        db.prepare('SELECT * FROM document_pages').all(),
      ]
      const before = savedRows()
      recount(db)
      expect(savedRows()).toEqual(before)
      db.close()
    }
    expect(reportedPages.size).toBeGreaterThan(rounds)
  } finally {
    folder.remove()
  }
})

test('continues a job where it was after closing at any step', async () => {
  const folder = temporaryHome()
  const steps: ((store: Store) => unknown)[] = [
    (store) => newDocument(store, 'd'),
    ({ documents }) =>
      documents.begin(
        aVersion('v', 'd', [aPart('p', 1, 4), aPart('q', 5, 6)], {
          pages: [{ first: 1, last: 8 }],
        }),
      ),
    ({ documents }) => documents.sent('p'),
    ({ documents }) => expect(documents.restart()).toBe(1),
    ({ documents }) => expect(documents.next({ accountId: 'a1', at: 1 })?.id).toBe('p'),
    ({ documents }) => documents.sent('p'),
    ({ documents }) => documents.split('p', [aPart('p1', 1, 2), aPart('p2', 3, 4)]),
    ({ documents }) => documents.sent('p1'),
    ({ documents }) => documents.reply('p1', aReply([aPage(1, 'one')])),
    ({ documents }) => documents.fail('p2', failure(), 40),
    ({ documents }) => expect(documents.nextTime(1)).toBe(40),
    ({ documents }) => expect(documents.unplanned('v')).toEqual([{ first: 7, last: 8 }]),
    ({ documents }) => documents.plan('v', [aPart('r', 7, 8), aPart('s', 2)]),
    ({ documents }) => documents.fail('q', failure(), null),
    ({ documents }) => documents.sent('s'),
    ({ documents }) => documents.reply('s', aReply([aPage(2, 'two')])),
    ({ documents }) => documents.cancel('v'),
    ({ documents }) => documents.plan('v', [aPart('t', 3, 8)]),
    ({ documents }) => documents.sent('t'),
    ({ documents }) =>
      documents.reply('t', aReply([3, 4, 5, 6, 7, 8].map((page) => aPage(page, `page ${page}`)))),
  ]
  try {
    for (const step of steps) {
      await withStore(folder.home, (store) => void step(store))
      await withStore(folder.home, (store) => assertComplete(store, 'd'))
    }
    await withStore(folder.home, ({ documents }) => {
      expect(documents.version('v')).toMatchObject({
        state: 'done',
        counts: { asked: 8, returned: 8 },
        calls: 5,
      })
      expect(documents.restart()).toBe(0)
      expect(documents.unfinished()).toEqual([])
      expect(documents.blocks('d').map((block) => block.content)).toEqual([
        'one',
        'two',
        ...[3, 4, 5, 6, 7, 8].map((page) => `page ${page}`),
      ])
    })
  } finally {
    folder.remove()
  }
})

test('changes nothing if a step cannot be saved', () =>
  withLibrary((store) => {
    newDocument(store, 'd')
    store.documents.begin(aVersion('v', 'd', [aPart('p', 1, 2)]))
    store.documents.sent('p')
    const before = [store.documents.get('d'), store.documents.part('p'), store.documents.pages('d')]
    // A position is an integer: the row is rejected after others were written.
    const second = { ...aPage(2), blocks: [aBlock(0.5, 'second')] }
    const bad = aReply([aPage(1, 'first'), second])
    expect(() => store.documents.reply('p', bad)).toThrow(/place/)
    expect([
      store.documents.get('d'),
      store.documents.part('p'),
      store.documents.pages('d'),
    ]).toEqual(before)
    expect(store.documents.blocks('d')).toEqual([])
    expect(store.documents.rawReply('p')).toBeNull()
  }))
