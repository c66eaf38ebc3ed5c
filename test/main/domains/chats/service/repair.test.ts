import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { endOf } from '../../../../../src/main/domains/chats/service/end.ts'
import {
  emptyAnswer,
  foldAnswer,
  type AnswerEvent,
} from '../../../../../src/shared/chats/answer.ts'
import { shownUnits } from '../../../../../src/shared/chats/shown-answer.ts'
import { aBatch, aMessage, agent, begin as beginAnswer } from '../store/fixture.ts'
import { chatSetup } from './chat-setup.ts'

const line = 'All work and no play. 只工作不玩耍。😀\n'

test('concurrent repairs of a long answer that was left running keep its whole text', async () => {
  const { begin, chats, store } = await chatSetup()
  const conversationId = begin(agent)
  store.chats.add(aMessage('q', null, { conversationId }))
  beginAnswer(store, 'a', 'q', { conversationId })
  const chunk = line.repeat(8000)
  for (let n = 0; n < 12; n++)
    store.chats.appendEvents('a', aBatch(n, [{ t: 'text', text: chunk, at: 1 }]))
  const whole = chunk.repeat(12)
  await Promise.all(
    [0, 1, 3, 7, 12].map(async (turns) => {
      for (let n = 0; n < turns; n++) await turn()
      await chats.stop('a')
    }),
  )
  const { state, text, shortened } = chats.message('a')
  expect({ state, shortened }).toEqual({
    state: 'broken',
    shortened: { text: whole.length, steps: false },
  })
  const parts = Array.from(store.chats.parts('a'), (part) => part.text)
  expect(text + parts.join('') === whole).toBe(true)
})

test('the end of an answer names the images of steps that only its parts contain', async () => {
  const long = 'x'.repeat(shownUnits.steps)
  const events: readonly AnswerEvent[] = [
    { t: 'thought', text: long, at: 1 },
    ...Array.from({ length: 20 }, (_, place): AnswerEvent => ({
      t: 'tool',
      place,
      call: {
        type: 'drawing_tool',
        outputs: Array.from({ length: 20 }, (__, n) => ({ mediaId: `m${place}-${n}` })),
      },
      at: 2,
    })),
  ]
  const end = await endOf(
    events.reduce(foldAnswer, emptyAnswer),
    { ok: false, thrown: null, by: 'reader' },
    null,
    9,
    { maskKnown: (text) => text, openEnd: () => 0, savePart: async () => undefined },
  )
  expect(end.shortened).toMatchObject({ steps: true })
  expect(JSON.stringify(end.steps)).not.toContain('m19-19')
  expect(end.drawings).toHaveLength(400)
  expect(end.drawings).toContain('m19-19')
})
