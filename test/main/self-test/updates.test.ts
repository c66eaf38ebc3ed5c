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
  ['passes for a signed response', {}, { checkedAt: 1 }, 'pass', 'updateServer', 1],
  ['fails for a wrong signature', {}, { stage: 'failed', failure }, 'fail', 'updateFault', 1],
  ['is unavailable without a request', {}, {}, 'unavailable', 'updatesBusy', 1],
  [
    'is unavailable with only an earlier check',
    { checkedAt: 1 },
    {},
    'unavailable',
    'updatesBusy',
    1,
  ],
  [
    'does not check during a recording',
    { recording: true, checkedAt: 1 },
    {},
    'unavailable',
    'updatesBusy',
    0,
  ],
  [
    'does not interrupt a running check',
    { stage: 'checking', checkedAt: 1 },
    {},
    'unavailable',
    'updatesBusy',
    0,
  ],
  ['does not check when updates are off', { stage: 'off' }, {}, 'unavailable', 'updatesOff', 0],
  ['does not interrupt a download', { stage: 'downloading' }, {}, 'pass', 'updateServer', 0],
  [
    'is unavailable in a build without mirrors',
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
