import { expect, test } from 'vitest'
import { canRetry } from '../../../../src/renderer/src/domains/library/jobs/retry.ts'
import { useWork } from '../../../../src/renderer/src/domains/library/jobs/work-store.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'

test('allows a retry for failures that chance, account, API key or network can fix', () => {
  expect(canRetry(null)).toBe(true)
  expect(canRetry(failure('SERVER_ERROR', { retriable: true }))).toBe(true)
  for (const code of ['NO_KEY', 'KEY_REJECTED', 'QUOTA_EXHAUSTED', 'OFFLINE'] as const)
    expect(canRetry(failure(code, { retriable: false })), code).toBe(true)
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
    expect(canRetry(failure(code, { retriable: true })), code).toBe(false)
})

test('counts failed transcriptions, retries them and dismisses them', async () => {
  const { main, run, settle } = rendererSetup({ empty: true })
  const failed = {
    kind: 'meeting',
    id: 'm1',
    placeId: 'm1',
    title: 'Weekly',
    accountId: 'cloud',
    accountName: 'Cloud',
    state: 'failed',
    progress: null,
    error: failure('SERVER_ERROR'),
    movable: false,
    targets: null,
    bound: null,
    mayBeDone: false,
  }
  main.answer('work.list', () => ({ work: [failed] }))
  main.answer('work.dismiss', () => ({ work: [] }))
  main.answer('meetings.fill', () => ({ meeting: { id: 'm1' } }))
  const work = run(useWork)
  await work.load()
  expect([work.running, work.queued, work.waiting, work.failed]).toEqual([0, 0, 0, 1])
  const [listed] = work.list
  if (!listed) throw new Error('it is not listed')
  await work.retry(listed)
  await settle()
  expect(main.requests.find(({ route }) => route === 'meetings.fill')?.payload).toEqual({
    id: 'm1',
  })
  await work.dismiss(listed)
  expect(main.requests.at(-1)).toEqual({ route: 'work.dismiss', payload: { id: 'm1' } })
  expect([work.failed, work.list]).toEqual([0, []])
})

test('lists an export that no page has received until it is saved, and stops or repeats others', async () => {
  const { main, run } = rendererSetup({ empty: true })
  const made = { kind: 'export', id: 'e1', state: 'ready', file: { mediaId: 'm', name: 'Plan.md' } }
  main.answer('work.list', () => ({ work: [made, { ...made, id: 'e2', state: 'failed' }] }))
  main.answer('work.retryExport', () => ({ work: [made] }))
  main.answer('work.removeExport', () => ({ work: [] }))
  const work = run(useWork)
  await work.load()
  expect([work.running, work.failed, work.ready]).toEqual([0, 1, 1])
  await work.retry({ kind: 'export', id: 'e2' })
  expect(main.requests.at(-1)).toEqual({ route: 'work.retryExport', payload: { id: 'e2' } })
  expect([work.failed, work.ready]).toEqual([0, 1])
  await work.dismiss({ kind: 'export', id: 'e1' })
  expect(main.requests.at(-1)).toEqual({ route: 'work.removeExport', payload: { id: 'e1' } })
  expect(work.list).toEqual([])
})

test('stops the transcription of a meeting, and says why it could not', async () => {
  const { main, run, settle } = rendererSetup({
    empty: true,
    fail: { 'meetings.stopTranscription': failure('READ_ONLY') },
  })
  const work = run(useWork)
  await work.stop({ kind: 'meeting', id: 'm1' })
  await settle()
  expect(main.requests.at(-1)).toEqual({
    route: 'meetings.stopTranscription',
    payload: { id: 'm1' },
  })
  expect(work.failure?.code).toBe('READ_ONLY')
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
    work: [
      meeting,
      { ...meeting, id: 'm2', state: 'waiting', movable: true },
      { ...meeting, kind: 'export', id: 'e1' },
    ],
  }))
  main.answer('work.move', () => ({ work: [meeting] }))
  const work = run(useWork)
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
