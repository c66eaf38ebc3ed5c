import { expect, test, vi } from 'vitest'
import { AppError } from '../../../../../../src/main/errors.ts'
import { transcriptionSetup, row, text } from './transcription-setup.ts'

test('evaluates corrections once, not per segment, with more words than the provider accepts', async () => {
  const setup = await transcriptionSetup()
  const hotwords = Array.from({ length: 150 }, (_, n) => `Term${n}`)
  const correctionsSpy = vi.spyOn(setup.store.meetings, 'corrections')
  setup.answer = () => text('Good words.')
  const id = setup.meeting(row(12), { hotwords })
  setup.transcription.nudge(id)
  await setup.finish(id)
  expect(setup.requests).toHaveLength(12)
  expect(new Set(setup.requests.map((one) => one.hotwords.length))).toEqual(new Set([100]))
  expect(correctionsSpy).toHaveBeenCalledTimes(1)
})

test('refilling updates only segments with an error: a day of waiting segments is not written', async () => {
  const setup = await transcriptionSetup()
  setup.keyError = new AppError('NO_KEY', 'no key')
  const id = setup.meeting(row(40))
  setup.transcription.nudge(id)
  await setup.quiet()
  const held = setup.segments(id).filter(({ error }) => error !== null).length
  expect(held).toBeGreaterThan(0)
  const writes = vi.spyOn(setup.store.meetings, 'updateSegment')
  setup.transcription.fill(id)
  expect(writes).toHaveBeenCalledTimes(held)
  writes.mockRestore()
  setup.keyError = null
  setup.answer = () => text('Good words.')
  setup.transcription.fill(id)
  await setup.finish(id)
  expect(setup.segments(id).every(({ state }) => state === 'done')).toBe(true)
})
