import { expect, test } from 'vitest'
import { createCalls } from '../../../src/main/bridge/calls.ts'

const untilAborted = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted')))

test('the caller aborts its call; another page cannot', async () => {
  const calls = createCalls()
  const running = calls.run('page-a', 'call-0001', untilAborted)
  expect(calls.cancel('page-b', 'call-0001')).toBe(false)
  expect(calls.cancel('page-a', 'call-0001')).toBe(true)
  expect(await running).toBe('aborted')
  expect(calls.cancel('page-a', 'call-0001')).toBe(false)
})

test('an id in use is refused, and free again afterwards', async () => {
  const calls = createCalls()
  const running = calls.run('page-a', 'call-0001', untilAborted)
  await expect(calls.run('page-a', 'call-0001', untilAborted)).rejects.toMatchObject({
    code: 'REFUSED',
  })
  calls.dropConnection('page-a')
  await running
  expect(await calls.run('page-a', 'call-0001', async () => 'again')).toBe('again')
})
