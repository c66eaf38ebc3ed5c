import { expect, test } from 'vitest'
import { createRecordingPage } from '../../../../../../src/main/domains/audio/service/recording/recording-page.ts'

const refused = { code: 'REFUSED', params: { problem: 'otherWindow' } }
const begun = async (): Promise<string> => 'begun'

test('lets one page record at a time, and the next one afterwards', async () => {
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

test('prevents two simultaneous starts from both recording', async () => {
  const page = createRecordingPage(() => true)
  const opened = Promise.withResolvers<string>()
  const first = page.begin('a', () => opened.promise)
  await expect(page.begin('b', begun)).rejects.toMatchObject(refused)
  opened.resolve('begun')
  expect(await first).toBe('begun')
})

test('releases the microphone after a recording failed to start', async () => {
  const page = createRecordingPage(() => true)
  const fails = (): Promise<never> => Promise.reject(new Error('disk'))
  await expect(page.begin('a', fails)).rejects.toThrow('disk')
  expect(page.current()).toBeNull()
  expect(await page.begin('b', begun)).toBe('begun')
  await expect(page.begin('b', fails)).rejects.toThrow('disk')
  expect(page.current()).toBe('b')
})

test('lets others record after the recording page has disconnected', async () => {
  const connected = new Set(['a', 'b'])
  const page = createRecordingPage((id) => connected.has(id))
  await page.begin('a', begun)
  connected.delete('a')
  expect(await page.begin('b', begun)).toBe('begun')
  expect(page.current()).toBe('b')
})
