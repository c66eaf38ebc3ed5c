import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../../../../src/main/platform/database/migrate.ts'
import { salvage } from '../../../../../src/main/library-database/salvage.ts'
import type { NewRun } from '../../../../../src/main/library-database/types.ts'
import { aMedia, temporaryHome, withStore } from '../../../platform/database/fixture.ts'

let home: ReturnType<typeof temporaryHome>
beforeEach(() => {
  home = temporaryHome()
})
afterEach(() => home.remove())

const aRun = (id: string, mediaIds: readonly string[] = []): NewRun => ({
  id,
  accountId: 'a1',
  accountName: 'One',
  operation: 'agents.chat',
  title: id,
  streamId: `stream-${id}`,
  input: { messages: ['Why?'] },
  mediaIds,
  at: 1,
})

test('reads events from any index, in whole batches', () =>
  withStore(home.home, ({ runs }) => {
    runs.create(aRun('r1'))
    for (let first = 0; first < 10; first += 2)
      runs.append('r1', { first, count: 2, json: `[${first},${first + 1}]` })
    expect(() => runs.append('r1', { first: 8, count: 1, json: '[8]' })).toThrow('UNIQUE')
    expect(runs.events('r1', 3, 3)).toEqual({
      batches: [
        { first: 2, count: 2, json: '[2,3]' },
        { first: 4, count: 2, json: '[4,5]' },
      ],
      next: 6,
    })
    expect(runs.events('r1', 8, 100)).toMatchObject({ batches: [{ first: 8 }], next: null })
    expect(runs.events('r1', 10, 100)).toEqual({ batches: [], next: null })
    expect(runs.summary('r1')?.events).toBe(10)
  }))

test('removes a run with its events, result and use of its files', () =>
  withStore(home.home, ({ runs, media }) => {
    media.put(aMedia('m1'))
    media.put(aMedia('m2'))
    runs.create(aRun('r1', ['m1']))
    runs.create(aRun('r2', ['m1']))
    runs.append('r1', { first: 0, count: 1, json: '[1]' })
    runs.keepValue('r1', JSON.stringify({ answer: 'So' }))
    runs.keepReply('r1', { status: 200, contentType: 'x', body: 'raw' })
    runs.finish('r1', { state: 'done', at: 5, files: [{ name: 'out', mediaId: 'm2' }] })
    expect(['m1', 'm2', 'none'].map((id) => media.isReceived(id))).toEqual([false, true, false])
    expect(runs.get('r1')).toMatchObject({
      value: { answer: 'So' },
      endedAt: 5,
      files: [{ name: 'out', mediaId: 'm2' }],
    })
    expect(runs.reply('r1')?.body).toBe('raw')
    // Files in use are not swept.
    expect(media.orphans(1000)).toEqual([])
    expect(media.remove('m1')).toBe(false)
    expect(runs.remove(['r1'])).toEqual(['m2'])
    expect(() => runs.events('r1', 0, 1)).toThrow('Run not found')
    expect(runs.remove(['r2'])).toEqual(['m1'])
    expect(media.orphans(1000).map(({ id }) => id)).toEqual(['m1', 'm2'])
  }))

test('salvages runs with everything they own from a damaged database', async () => {
  await withStore(home.home, ({ runs, media }) => {
    media.put(aMedia('m1'))
    runs.create(aRun('r1', ['m1']))
    runs.append('r1', { first: 0, count: 2, json: '[1,2]' })
    runs.keepValue('r1', JSON.stringify({ answer: 'So' }))
    runs.finish('r1', { state: 'broken', at: 5 })
  })
  const folder = mkdtempSync(join(tmpdir(), 'lectern-salvage-'))
  const source = new Database(join(home.home, 'library.db'))
  const into = new Database(join(folder, 'new.db'))
  try {
    migrate(into)
    salvage(source, into)
    const one = (sql: string): unknown => into.prepare(sql).pluck().get()
    expect(one('SELECT events FROM run_events')).toBe('[1,2]')
    expect(one('SELECT value FROM run_results')).toBe('{"answer":"So"}')
    expect(one(`SELECT state FROM runs WHERE id = 'r1'`)).toBe('broken')
    expect(one(`SELECT uses FROM media WHERE id = 'm1'`)).toBe(1)
  } finally {
    source.close()
    into.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('names the files of a run, and counts those the provider rejected', () =>
  withStore(home.home, ({ runs, media }) => {
    media.put({ ...aMedia('m1'), name: 'one.pdf' })
    media.put({ ...aMedia('m2'), name: 'two.pdf' })
    runs.create({ ...aRun('r1', ['m2', 'm1']), operation: 'documents.upload' })
    expect(runs.summary('r1')?.refused).toBeNull()
    const refused = [{ name: 'two.pdf', reason: 'Too large' }]
    runs.keepValue('r1', JSON.stringify({ accepted: [{ documentId: 'd1' }], refused }))
    runs.finish('r1', { state: 'done', at: 5 })
    expect(runs.summary('r1')?.refused).toEqual({ count: 1, of: 2 })
    expect(runs.get('r1')).toMatchObject({
      refused: { count: 1, of: 2 },
      inputFiles: [
        { mediaId: 'm2', name: 'two.pdf' },
        { mediaId: 'm1', name: 'one.pdf' },
      ],
      files: [],
    })
    runs.create({ ...aRun('r2'), operation: 'documents.uploadUrls' })
    runs.keepValue('r2', JSON.stringify({ accepted: [{ documentId: 'd1' }], refused: [] }))
    runs.create(aRun('r3'))
    runs.keepValue('r3', JSON.stringify({ accepted: [], refused }))
    expect(runs.list({ limit: 10 }).runs.map((run) => run.refused)).toEqual([
      null,
      null,
      { count: 1, of: 2 },
    ])
  }))
