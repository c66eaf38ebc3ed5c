import { expect, test } from 'vitest'
import { createTurns } from '../../../../../src/main/domains/documents/service/serial-work.ts'

test('runs concurrent requests in order, and other work in between', async () => {
  const turn = createTurns()
  const done: string[] = []
  const between = (): void => void done.push('other')
  const parts = [1, 2, 3].map((n) =>
    turn(() => {
      done.push(`piece ${n}`)
      setImmediate(between)
    }),
  )
  await Promise.all(parts)
  await turn(() => undefined)
  expect(done).toEqual(['piece 1', 'other', 'piece 2', 'other', 'piece 3', 'other'])
})

test('a failing step fails alone', async () => {
  const turn = createTurns()
  const failed = turn(() => Promise.reject(new Error('no')))
  const next = turn(() => 'done')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('done')
})
