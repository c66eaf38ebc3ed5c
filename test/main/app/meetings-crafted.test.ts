import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { ItemSummary } from '../../../src/shared/model/library.ts'
import {
  type SessionHead,
  sessionFiles,
  sessionFolder,
} from '../../../src/main/platform/audio/session-files.ts'
import { openWriter } from '../../../src/main/domains/audio/worker/session-writer.ts'
import { removal } from '../../../src/system/file-moves.ts'
import { testApp, type TestApp } from '../../fixtures/app.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { headOf, signal } from '../domains/audio/worker/fixture.ts'

let app: TestApp

afterEach(() => app.remove())

const now = (): number => 1_700_000_000_000

/** Creates a session of three seconds as a killed run leaves it: two complete parts and half of a third. */
function leftOpen(home: string, id: string, changes: Partial<SessionHead> = {}): string {
  const folder = sessionFolder(home, id)
  const head = headOf({ id, owner: { pid: 0, run: 'earlier' }, ...changes })
  const scratch = mkdtempSync(join(tmpdir(), 'lectern-crafted-'))
  const writer = openWriter(scratch, head, { now, reserveBytes: 0, partSeconds: 1 })
  writer.write(0, signal(0, 20_000), false)
  // A snapshot: a writer that was never closed would keep its files open, and Windows cannot delete open files.
  cpSync(scratch, folder, { recursive: true })
  writer.close()
  rmSync(scratch, removal)
  return folder
}

/** Changes the text of a file. */
const rewrite = (path: string, change: (text: string) => string): void =>
  writeFileSync(path, change(readFileSync(path, 'utf8')))

const listed = (ids: readonly string[]): Promise<readonly ItemSummary[]> =>
  eventually(async () => {
    const { items } = await app.call('library.list', { bin: false, limit: 200 })
    const found = ids.flatMap((id) => items.find((item) => item.id === id) ?? [])
    const missing = ids.filter((id) => !found.some((item) => item.id === id))
    if (missing.length > 0) throw new Error(`not listed: ${missing.join()}`)
    return found
  })

test('lists a session with its audio despite any content in its files, without affecting others', async () => {
  const home = mkdtempSync(join(tmpdir(), 'lectern-crafted-'))
  const line = (entry: unknown): string => `${JSON.stringify(entry)}\n`
  const gap = { type: 'gap', atMs: 0, endMs: 500, channel: null, reason: 'lost' }
  const events: Record<string, unknown> = {
    'a-channel': { ...gap, channel: { toString: 'x' } },
    'a-far-channel': { ...gap, channel: 1e9 },
    'a-reason': { ...gap, reason: ['__proto__'] },
    'a-fraction': { ...gap, atMs: 0.5 },
    'a-type': { type: '__proto__', atMs: 1 },
    'a-device': { type: 'device', atMs: 1, channel: 0, label: { a: 1 } },
  }
  const ids = Object.keys(events)
  for (const [id, event] of Object.entries(events))
    appendFileSync(sessionFiles(leftOpen(home, id)).journal, line({ t: 'event', at: 1, event }))
  const heads: Record<string, object> = {
    'b-time': { startedAt: 1.5 },
    'b-late': { startedAt: 1e300 },
    'b-rate': { sampleRate: 2 ** 52 },
    'b-roles': { roles: Array.from({ length: 50_000 }, () => 'mic') },
    'b-title': { title: '\u202e\0' },
    'b-long': { title: 'x'.repeat(5_000_000) },
    'b-frames': { state: 'closed', frames: 1e15 },
  }
  for (const [id, change] of Object.entries(heads)) {
    ids.push(id)
    rewrite(sessionFiles(leftOpen(home, id)).head, (text) =>
      JSON.stringify({ ...(JSON.parse(text) as object), ...change }),
    )
  }
  const numbers = { 'c-far': 1e15, 'c-farther': 1e300, 'c-fraction': 8000.5, 'c-hours': 1e9 }
  for (const [id, frame] of Object.entries(numbers)) {
    ids.push(id)
    rewrite(sessionFiles(leftOpen(home, id)).journal, (text) =>
      text.replace('"number":2,"frame":8000', `"number":2,"frame":${frame}`),
    )
  }
  ids.push('d-names', 'e-good')
  writeFileSync(join(leftOpen(home, 'd-names'), 'part-00000009.wav'), 'RIFF')
  leftOpen(home, 'e-good')

  app = await testApp({ home })
  const items = await listed(ids)
  for (const { id, title, meeting, createdAt } of items) {
    expect(meeting?.durationMs, id).toBe(2500)
    expect(title, id).toMatch(/^[\x20-\x7e]{1,300}$/)
    expect(Number.isSafeInteger(createdAt) && createdAt <= Date.now(), id).toBe(true)
    expect(meeting?.completeness.gapsMs, id).toBeLessThanOrEqual(2500)
    expect(statSync(sessionFiles(sessionFolder(home, id)).part(1)).size, id).toBe(44 + 8000 * 4)
    const { meeting: whole } = await app.call('meetings.get', { id })
    expect(whole.channels, id).toEqual(['mic', 'others'])
    const url = `http://127.0.0.1/media/meeting-${id}`
    const audio = await app.app.fetch(new Request(url), app.page)
    expect((await audio.arrayBuffer()).byteLength, id).toBe(44 + 80_000)
  }
})

test('lists a closed session without a row; a purged one stays deleted', async () => {
  const home = mkdtempSync(join(tmpdir(), 'lectern-crafted-'))
  app = await testApp({ home })
  const { meeting } = await app.call('meetings.begin', {
    roles: ['mic'],
    sampleRate: 8000,
    labels: [],
  })
  await app.call('meetings.stop', { id: meeting.id, recordedMs: 0 })
  await app.call('library.purge', { ids: [meeting.id] })
  await app.stop()
  const folder = leftOpen(home, 'unknown')
  rewrite(sessionFiles(folder).head, (text) => text.replace('"open"', '"closed"'))
  app = await testApp({ home })
  const [found] = await listed(['unknown'])
  expect(found?.meeting).toMatchObject({ state: 'interrupted', durationMs: 2500 })
  const { items } = await app.call('library.list', { bin: false, limit: 10 })
  expect(items.map(({ id }) => id)).toEqual(['unknown'])
})
