import { expect, test } from 'vitest'
import { canRetry } from '../../../../src/renderer/src/domains/library/jobs/retry.ts'
import { useSaves } from '../../../../src/renderer/src/domains/library/export/saves-store.ts'
import { useJobs } from '../../../../src/renderer/src/domains/library/jobs/jobs-store.ts'
import { useWork } from '../../../../src/renderer/src/domains/library/jobs/work-store.ts'
import type { ErrorCode } from '../../../../src/shared/contract/reply.ts'
import { failure, job } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'

const failed = (code: ErrorCode, retriable = false) =>
  job('j', 'i', 'A talk', { state: 'failed', error: failure(code, { retriable }) })

test('allows a retry for failures that chance, account, API key or network can fix', () => {
  expect(canRetry(failed('SERVER_ERROR', true))).toBe(true)
  for (const code of ['NO_KEY', 'KEY_REJECTED', 'QUOTA_EXHAUSTED', 'OFFLINE'] as const)
    expect(canRetry(failed(code)), code).toBe(true)
  expect(canRetry(job('j', 'i', 'A talk', { state: 'cancelled' }))).toBe(true)
})

test('never offers a retry for problems of the file, whatever the failure specifies', () => {
  for (const code of [
    'AUDIO_TOO_LONG',
    'FILE_TOO_LARGE',
    'UNSUPPORTED_FORMAT',
    'DAMAGED_FILE',
    'EMPTY_FILE',
    'FILE_MISSING',
    'LIMIT_EXCEEDED',
    'NOT_FOUND',
    'CONTENT_BLOCKED',
    'CONTEXT_TOO_LONG',
  ] as const)
    expect(canRetry(failed(code, true)), code).toBe(false)
})

test('offers no retry for a job that continues automatically', () => {
  for (const state of ['queued', 'running', 'waiting', 'done'] as const)
    expect(canRetry(job('j', 'i', 'A talk', { state })), state).toBe(false)
})

test('does not count a job that waits for the network as running', async () => {
  const { run, settle } = rendererSetup()
  const jobs = run(useJobs)
  void jobs.load()
  await settle()
  expect(jobs.running.map(({ itemId }) => itemId)).toEqual(['running'])
  expect(jobs.waiting.map(({ itemId }) => itemId)).toEqual(['waiting'])
  expect(jobs.failed.map(({ itemId }) => itemId)).toEqual(['long', 'cut'])
})

test('hides the failed job of a trashed item, and shows it again with its item', async () => {
  const { main, client, run, settle } = rendererSetup()
  const jobs = run(useJobs)
  void jobs.load()
  await settle()
  void client.request('library.remove', { ids: ['long'] })
  await settle()
  expect(jobs.failed.map(({ itemId }) => itemId)).toEqual(['cut'])
  // The same if it was in the Trash before the page was opened.
  void jobs.load()
  await settle()
  expect(jobs.jobs.some(({ itemId }) => itemId === 'long')).toBe(false)
  void client.request('library.restore', { ids: ['long'] })
  await settle()
  expect(jobs.failed.map(({ itemId }) => itemId)).toEqual(['long', 'cut'])
  main.items.delete('cut')
  main.app({ type: 'library.changed', itemIds: ['cut'] })
  await settle()
  expect(jobs.failed.map(({ itemId }) => itemId)).toEqual(['long'])
})

test('counts all background work including this window’s, and allows moving waiting work', async () => {
  const { main, run, settle } = rendererSetup({ empty: true })
  const meeting = {
    kind: 'meeting',
    id: 'm1',
    placeId: 'm1',
    title: 'Weekly',
    accountId: 'cloud',
    accountName: 'Cloud',
    state: 'running',
    progress: 0.5,
    error: null,
    movable: false,
    targets: null,
    bound: null,
    mayBeDone: false,
  }
  main.answer('work.list', () => ({
    work: [meeting, { ...meeting, id: 'm2', state: 'waiting', movable: true }],
  }))
  main.answer('work.move', () => ({ work: [meeting] }))
  const work = run(useWork)
  run(useSaves).longExports = 1
  await work.load()
  expect([work.running, work.queued, work.waiting]).toEqual([2, 0, 1])
  const waits = work.find('meeting', 'm2')
  if (!waits) throw new Error('it is not listed')
  await work.move(waits, { accountId: 'this-computer', target: null }, false)
  await settle()
  expect(work.waiting).toBe(0)
  expect(main.requests.find(({ route }) => route === 'work.move')?.payload).toEqual({
    kind: 'meeting',
    id: 'm2',
    accountId: 'this-computer',
    confirmed: false,
  })
})

test('offers a narration with its voice, only to accounts with an API key', async () => {
  const { main, run, settle } = rendererSetup({ empty: true })
  const target = (accountId: string) => ({ accountId, choiceId: 'jam', choiceName: 'Jam' })
  main.answer('work.list', () => ({
    work: [
      {
        kind: 'speech',
        id: 's1',
        placeId: 's1',
        title: 'Lamps',
        accountId: 'away',
        accountName: 'Away',
        state: 'waiting',
        progress: 0,
        error: null,
        movable: true,
        targets: [target('keyed'), target('keyless')],
        bound: null,
        mayBeDone: false,
      },
    ],
  }))
  main.answer('accounts.list', () => [
    { id: 'keyed', name: 'Keyed', preset: 'custom', key: { present: true } },
    { id: 'keyless', name: 'Keyless', preset: 'custom', key: { present: false } },
    { id: 'local', name: '', preset: 'local', key: { present: false } },
  ])
  const work = run(useWork)
  await work.load()
  await settle()
  const waits = work.find('speech', 's1')
  expect(waits && work.offers(waits)).toEqual([{ accountId: 'keyed', target: target('keyed') }])
})
