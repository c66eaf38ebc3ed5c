import { expect, test } from 'vitest'
import { createCalls } from '../../../../src/main/platform/bridge/calls.ts'

const untilAborted = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted')))

test('lets the caller abort its call, but no other page', async () => {
  const calls = createCalls()
  const running = calls.run('page-a', 'call-0001', untilAborted)
  expect(calls.cancel('page-b', 'call-0001')).toBe(false)
  expect(calls.cancel('page-a', 'call-0001')).toBe(true)
  expect(await running).toBe('aborted')
  expect(calls.cancel('page-a', 'call-0001')).toBe(false)
})

test('rejects an ID in use, and accepts it again afterwards', async () => {
  const calls = createCalls()
  const running = calls.run('page-a', 'call-0001', untilAborted)
  await expect(calls.run('page-a', 'call-0001', untilAborted)).rejects.toMatchObject({
    code: 'REFUSED',
  })
  calls.dropConnection('page-a')
  await running
  expect(await calls.run('page-a', 'call-0001', async () => 'again')).toBe('again')
})
