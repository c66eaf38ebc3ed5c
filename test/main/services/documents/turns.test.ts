import { expect, test } from 'vitest'
import { createTurns } from '../../../../src/main/services/documents/serial-work.ts'

test('work that is asked for at once is done in order, and what waits meanwhile goes between', async () => {
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

test('a piece that fails fails alone', async () => {
  const turn = createTurns()
  const failed = turn(() => Promise.reject(new Error('no')))
  const next = turn(() => 'done')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('done')
})
