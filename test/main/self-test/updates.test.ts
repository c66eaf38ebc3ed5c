import { expect, test } from 'vitest'
import { updatesCheck } from '../../../src/main/self-test/updates.ts'
import type { CheckScope } from '../../../src/main/self-test/check.ts'
import type { UpdateState } from '../../../src/shared/model/updates.ts'

const quiet: UpdateState = {
  stage: 'idle',
  support: { mode: 'restart' },
  version: '1.0.0',
  checkedAt: null,
  update: null,
  progress: null,
  failure: null,
  recording: false,
  rollBack: null,
  downloadPage: '',
}
const failure = { step: 'check', fault: 'bad-signature', detail: '', at: 1 } as const
const scope = {} as CheckScope

test.each<[string, Partial<UpdateState>, Partial<UpdateState>, string, string, number]>([
  ['a signed answer passes', {}, { checkedAt: 1 }, 'pass', 'updateServer', 1],
  ['a wrong signature fails', {}, { stage: 'failed', failure }, 'fail', 'updateFault', 1],
  ['no question is no answer', {}, {}, 'unavailable', 'updatesBusy', 1],
  ['nor is an answer of an earlier day', { checkedAt: 1 }, {}, 'unavailable', 'updatesBusy', 1],
  [
    'a recording is left alone',
    { recording: true, checkedAt: 1 },
    {},
    'unavailable',
    'updatesBusy',
    0,
  ],
  [
    'a check under way is left alone',
    { stage: 'checking', checkedAt: 1 },
    {},
    'unavailable',
    'updatesBusy',
    0,
  ],
  ['what is switched off is not asked', { stage: 'off' }, {}, 'unavailable', 'updatesOff', 0],
  ['a download is left alone', { stage: 'downloading' }, {}, 'pass', 'updateServer', 0],
  [
    'a build without mirrors has none',
    { support: { mode: 'none', why: 'no-feed' } },
    {},
    'unavailable',
    'noUpdates',
    0,
  ],
])('%s', async (_name, before, after, result, note, expectedAsks) => {
  let state = { ...quiet, ...before }
  let asks = 0
  const check = updatesCheck({
    state: () => state,
    async check(byUser) {
      expect(byUser).toBe(true)
      asks += 1
      state = { ...state, ...after }
    },
  })
  expect(await check(scope)).toMatchObject({ result, note })
  expect(asks).toBe(expectedAsks)
})
