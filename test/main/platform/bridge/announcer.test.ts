import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AppError } from '../../../../src/main/errors.ts'
import { later } from '../../../../src/main/long-timeout.ts'
import { createAnnouncer } from '../../../../src/main/platform/bridge/announcer.ts'
import type { Meeting } from '../../../../src/shared/model/meeting.ts'
import { memoryLog } from '../database/fixture.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setup() {
  const rows = new Map([['a', { id: 'a' } as Meeting]])
  const reported: string[] = []
  const log = memoryLog()
  let broken = false
  const get = (id: string): Meeting | undefined => {
    if (broken) throw new AppError('DATABASE_DAMAGED', 'A page cannot be read')
    return rows.get(id)
  }
  const announcer = createAnnouncer(get, ({ id }) => void reported.push(id), later, log)
  return { announcer, reported, log, rows, trouble: (is: boolean) => (broken = is) }
}

test('combines changes in quick succession, and skips deleted items', () => {
  const { announcer, reported, rows } = setup()
  announcer.changed('a')
  announcer.changed('a')
  vi.runAllTimers()
  expect(reported).toEqual(['a'])
  announcer.changed('a')
  rows.clear()
  vi.runAllTimers()
  expect(reported).toEqual(['a'])
})

test('an unreadable row affects neither the timer that reports it nor the caller that changed it', () => {
  const { announcer, reported, log, trouble } = setup()
  trouble(true)
  announcer.changed('a')
  expect(() => vi.runAllTimers()).not.toThrow()
  expect(() => announcer.now('a')).not.toThrow()
  expect(log.lines).toHaveLength(2)
  trouble(false)
  announcer.changed('a')
  vi.runAllTimers()
  expect(reported).toEqual(['a'])
})

test('reads nothing after the end, whatever still changes', () => {
  const { announcer, reported, log, trouble } = setup()
  announcer.changed('a')
  announcer.close()
  trouble(true)
  announcer.changed('a')
  announcer.now('a')
  vi.runAllTimers()
  expect(reported).toEqual([])
  expect(log.lines).toEqual([])
})
