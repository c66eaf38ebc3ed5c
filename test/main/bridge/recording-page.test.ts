import { expect, test } from 'vitest'
import { createRecordingPage } from '../../../src/main/bridge/recording-page.ts'

const refused = { code: 'REFUSED', params: { problem: 'otherWindow' } }
const begun = async (): Promise<string> => 'begun'

test('one page records at a time, and the next one once nothing is recorded', async () => {
  const page = createRecordingPage(() => true)
  expect(page.current()).toBeNull()
  expect(await page.begin('a', begun)).toBe('begun')
  expect(page.current()).toBe('a')
  await expect(page.begin('b', begun)).rejects.toMatchObject(refused)
  expect(await page.begin('a', begun)).toBe('begun')
  page.live(true)
  await expect(page.begin('b', begun)).rejects.toMatchObject(refused)
  page.live(false)
  expect(await page.begin('b', begun)).toBe('begun')
  expect(page.current()).toBe('b')
})

test('two that begin in the same moment do not both record', async () => {
  const page = createRecordingPage(() => true)
  const opened = Promise.withResolvers<string>()
  const first = page.begin('a', () => opened.promise)
  await expect(page.begin('b', begun)).rejects.toMatchObject(refused)
  opened.resolve('begun')
  expect(await first).toBe('begun')
})

test('a recording that could not begin leaves the microphone to others', async () => {
  const page = createRecordingPage(() => true)
  const fails = (): Promise<never> => Promise.reject(new Error('disk'))
  await expect(page.begin('a', fails)).rejects.toThrow('disk')
  expect(page.current()).toBeNull()
  expect(await page.begin('b', begun)).toBe('begun')
  await expect(page.begin('b', fails)).rejects.toThrow('disk')
  expect(page.current()).toBe('b')
})

test('a page that is gone keeps no other from recording', async () => {
  const connected = new Set(['a', 'b'])
  const page = createRecordingPage((id) => connected.has(id))
  await page.begin('a', begun)
  connected.delete('a')
  expect(await page.begin('b', begun)).toBe('begun')
  expect(page.current()).toBe('b')
})
