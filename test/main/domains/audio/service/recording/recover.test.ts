import { cpSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { isOwned } from '../../../../../../src/main/domains/audio/service/recording/session-heartbeat.ts'
import type { Capture } from '../../../../../../src/main/domains/audio/service/recording/capture.ts'
import {
  readHead,
  sessionFiles,
  sessionFolder,
} from '../../../../../../src/main/platform/audio/session-files.ts'
import { headOf, signal, temporaryFolder } from '../../worker/fixture.ts'
import { put, recording, startCapture } from './fixture.ts'

const root = temporaryFolder()
const started: Capture[] = []
afterAll(async () => {
  await Promise.all(started.map((capture) => capture.shutdown()))
  root.remove()
})

function start(name: string, changes: Parameters<typeof startCapture>[1] = {}) {
  const home = join(root.path, name)
  const made = startCapture(home, changes)
  started.push(made.capture)
  return { home, ...made }
}

test('a clean shutdown closes live sessions, and the next start repairs nothing', async () => {
  const { home, capture } = start('orderly')
  await capture.begin(recording('m1'))
  await put(capture, 'm1', 0, signal(0, 1234))
  await capture.shutdown()
  expect(readHead(sessionFolder(home, 'm1'))).toMatchObject({ state: 'closed', frames: 1234 })
  expect(await startCapture(home, { run: 'run-2' }).capture.recover()).toEqual([])
})

test('the next run repairs open sessions, reports them once, and skips those of its own run', async () => {
  const before = start('recover')
  await before.capture.begin(recording('m1'))
  await put(before.capture, 'm1', 0, signal(0, 4000))
  await put(before.capture, 'm1', '6000 fill', signal(6000, 2000))
  expect(await before.capture.recover()).toEqual([])
  // The state after a crash: a copy of the files as they are now, in the home of another run.
  const home = join(root.path, 'recover-after')
  cpSync(before.home, home, { recursive: true })
  writeFileSync(join(home, 'meetings', 'a stray file'), '')
  const { capture } = start('recover-after', { run: 'run-2' })
  expect(await capture.recover()).toEqual([
    {
      id: 'm1',
      title: 'Meeting m1',
      roles: ['mic', 'others'],
      sampleRate: 8000,
      startedAt: 1_700_000_000_000,
      durationMs: 1000,
      gaps: [{ startMs: 500, endMs: 750, channel: null, reason: 'lost' }],
      lostBytes: 0,
    },
  ])
  expect(await capture.recover()).toEqual([])
  expect(readHead(sessionFolder(before.home, 'm1'))?.state).toBe('open')
  expect(await put(before.capture, 'm1', 8000, signal(8000, 10))).toMatchObject({
    data: { frames: 8010 },
  })
})

test('a running process with a heartbeat keeps its recording; one with a reused ID does not', async () => {
  const { home, capture } = start('owners', { run: 'run-2' })
  const session = (id: string, pid: number, run: string): string => {
    const folder = sessionFolder(home, id)
    cpSync(join(root.path, 'recover-after', 'meetings', 'm1'), folder, { recursive: true })
    writeFileSync(sessionFiles(folder).head, JSON.stringify(headOf({ id, owner: { pid, run } })))
    return sessionFiles(folder).head
  }
  const living = session('living', process.ppid, 'run-1')
  const stranger = session('stranger', process.ppid, 'run-1')
  session('mine-by-number', process.pid, 'run-1')
  session('importing', process.pid, 'import')
  const old = new Date(Date.now() - 60_000)
  utimesSync(stranger, old, old)
  const sign = setInterval(() => utimesSync(living, new Date(), new Date()), 200)
  const recovered = await capture.recover()
  clearInterval(sign)
  expect(recovered.map(({ id }) => id)).toEqual(['mine-by-number', 'stranger'])
  expect(readHead(sessionFolder(home, 'living'))?.state).toBe('open')
  // After a fresh heartbeat without another one, the wait shows that it was the last.
  const head = headOf({ owner: { pid: process.ppid, run: 'run-1' } })
  utimesSync(living, new Date(), new Date())
  expect(await isOwned(sessionFolder(home, 'living'), head, 'run-2', 600)).toBe(false)
})

test('one session that cannot be repaired does not block the others', async () => {
  const { home, capture, problems } = start('hopeless', { run: 'run-2' })
  const from = join(root.path, 'recover-after', 'meetings', 'm1')
  for (const id of ['a', 'b']) {
    cpSync(from, sessionFolder(home, id), { recursive: true })
    const owner = { pid: process.pid, run: 'run-1' }
    writeFileSync(sessionFiles(sessionFolder(home, id)).head, JSON.stringify(headOf({ id, owner })))
  }
  cpSync(sessionFiles(from).head, sessionFiles(sessionFolder(home, 'a')).part(7))
  cpSync(from, join(sessionFolder(home, 'a'), 'part-0008.wav'), { recursive: true })
  expect((await capture.recover()).map(({ id }) => id)).toEqual(['b'])
  expect(problems).toEqual(['failed to repair a session'])
})
