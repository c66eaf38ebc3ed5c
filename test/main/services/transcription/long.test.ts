import { expect, test, vi } from 'vitest'
import { AppError } from '../../../../src/main/errors.ts'
import { transcriptionSetup, row, text } from './transcription-setup.ts'

test('with more words than the service takes, corrections are looked through once and not for every segment', async () => {
  const desk = await transcriptionSetup()
  const hotwords = Array.from({ length: 150 }, (_, n) => `Term${n}`)
  const looks = vi.spyOn(desk.store.meetings, 'corrections')
  desk.answer = () => text('Good words.')
  const id = desk.meeting(row(12), { hotwords })
  desk.hearing.nudge(id)
  await desk.finish(id)
  expect(desk.asked).toHaveLength(12)
  expect(new Set(desk.asked.map((one) => one.hotwords.length))).toEqual(new Set([100]))
  expect(looks).toHaveBeenCalledTimes(1)
})

test('asked to fill, only what has something against it is written: a day that waits its turn is not', async () => {
  const desk = await transcriptionSetup()
  desk.keyError = new AppError('NO_KEY', 'no key')
  const id = desk.meeting(row(40))
  desk.hearing.nudge(id)
  await desk.quiet()
  const held = desk.segments(id).filter(({ error }) => error !== null).length
  expect(held).toBeGreaterThan(0)
  const writes = vi.spyOn(desk.store.meetings, 'updateSegment')
  desk.hearing.fill(id)
  expect(writes).toHaveBeenCalledTimes(held)
  writes.mockRestore()
  desk.keyError = null
  desk.answer = () => text('Good words.')
  desk.hearing.fill(id)
  await desk.finish(id)
  expect(desk.segments(id).every(({ state }) => state === 'done')).toBe(true)
})
