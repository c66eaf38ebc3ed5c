import { expect, test } from 'vitest'
import { combineWork, type Working } from '../../src/main/background-work.ts'
import { memoryLog } from './platform/database/fixture.ts'

const full = (): never => {
  throw new Error('the disk is full')
}

test('continues with the work of other domains if that of one fails', () => {
  const log = memoryLog()
  const calls: string[] = []
  const broken: Working = { resume: full, accountReady: full, restored: full }
  const later: Working = {
    resume: () => void calls.push('resume'),
    accountReady: (accountId) => void calls.push(`account ${accountId}`),
    restored: (itemIds) => void calls.push(`restored ${itemIds.join()}`),
  }
  const work = combineWork(() => [{ documents: [broken] }, { chats: [later] }], {
    store: { writable: true },
    log,
  })
  work.resume()
  work.accountReady('a')
  work.restored(['i1'])
  expect(calls).toEqual(['resume', 'account a', 'restored i1'])
})

test('logs what failed', async () => {
  const log = memoryLog()
  const rejected: Working = { resume: async () => full() }
  combineWork(() => [{ documents: [{ resume: full }, rejected] }], {
    store: { writable: true },
    log,
  }).resume()
  await new Promise(setImmediate)
  expect(log.lines).toHaveLength(2)
})
