import { onTestFinished, expect, test } from 'vitest'
import { transcriptText } from '../../../../../src/main/domains/audio/service/transcript-text.ts'
import { openStore } from '../../../../../src/main/library-database/open.ts'
import { storeOptions, temporaryHome } from '../../../platform/database/fixture.ts'
import { newMeeting, transcribeAt } from '../store/fixture.ts'

async function meetings() {
  const { home, remove } = temporaryHome()
  const store = await openStore(storeOptions(home))
  onTestFinished(async () => {
    await store.close()
    remove()
  })
  newMeeting(store, 'm')
  return store
}
const enough = { question: 'What?', maxTokens: 10_000 }

test('gives every line with its time and speaker', async () => {
  const store = await meetings()
  const given = transcriptText(store.meetings, 'm', enough)
  expect(given?.text.split('\n')).toEqual([
    '[0:00] Me: one two three',
    '[0:01] Me: four five',
    '[0:03] Others: six seven',
    '[0:04] Others: eight',
    '[1:10] Me: 你好世界',
    '[1:11] Me: 第二句',
  ])
  expect(given?.tokens).toBeGreaterThan(20)
  expect(transcriptText(store.meetings, 'none', enough)).toBeNull()
})

test('gives the lines of a long meeting that are about the question, in order, with their neighbors', async () => {
  const store = await meetings()
  const talk = Array.from({ length: 400 }, (_, at) => `We talked about subject ${at} for a while`)
  transcribeAt(store, 'm', 'm-long', 0, 200_000, [...talk, 'The budget is nine thousand', ...talk])
  const given = transcriptText(store.meetings, 'm', {
    question: 'How large is the budget?',
    maxTokens: 400,
  })
  const lines = given?.text.split('\n') ?? []
  expect(given?.tokens).toBeLessThanOrEqual(400)
  expect(lines).toContain('[10:00] Me: The budget is nine thousand')
  expect(lines).toContain('[9:59] Me: We talked about subject 399 for a while')
  expect(lines.toSorted((a, b) => secondsOf(a) - secondsOf(b))).toEqual(lines)
  const none = transcriptText(store.meetings, 'm', { question: 'What?', maxTokens: 1 })
  expect(none).toEqual({ text: '', tokens: 0 })
})

const secondsOf = (line: string): number => {
  const [, minutes = '', seconds = ''] = /^\[(\d+):(\d+)\]/.exec(line) ?? []
  return Number(minutes) * 60 + Number(seconds)
}
