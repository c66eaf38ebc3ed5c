import { expect, test } from 'vitest'
import { useSaves } from '../../../../src/renderer/src/domains/library/export/saves-store.ts'
import { useWork } from '../../../../src/renderer/src/domains/library/jobs/work-store.ts'
import { failure } from '../../fake-data.ts'
import { rendererSetup } from '../../stores.ts'

test('stops the transcription of a meeting, and says why it could not', async () => {
  const { main, run, settle } = rendererSetup({
    empty: true,
    fail: { 'meetings.stopTranscription': failure('READ_ONLY') },
  })
  const work = run(useWork)
  await work.stopTranscription('m1')
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
