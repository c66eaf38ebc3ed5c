import { expect, test } from 'vitest'
import { AppError } from '../../../../src/main/errors.ts'
import { persist } from '../../../../src/main/platform/database/persist.ts'

const never = new AbortController().signal

test('retries a write on a full disk until it succeeds, and reports each failure', async () => {
  let left = 3
  const troubles: string[] = []
  const value = await persist(
    () => {
      if (left-- > 0) throw new AppError('DISK_FULL', 'full')
      return 'written'
    },
    never,
    (error) => troubles.push(error.code),
  )
  expect(value).toBe('written')
  expect(troubles).toEqual(['DISK_FULL', 'DISK_FULL', 'DISK_FULL'])
})

test('does not retry other errors', async () => {
  let tries = 0
  const write = () => {
    tries += 1
    throw new AppError('NOT_FOUND', 'gone')
  }
  await expect(persist(write, never, () => {})).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(tries).toBe(1)
})

test('stops waiting when the app ends', async () => {
  const closing = new AbortController()
  const waiting = persist(
    () => {
      throw new AppError('DATABASE_BUSY', 'busy')
    },
    closing.signal,
    () => closing.abort(),
  )
  await expect(waiting).rejects.toMatchObject({ code: 'DATABASE_BUSY' })
})
