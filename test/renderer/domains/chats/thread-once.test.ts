import { expect, test } from 'vitest'
import { useThread } from '../../../../src/renderer/src/domains/chats/thread/thread-store.ts'
import { useMessageActions } from '../../../../src/renderer/src/domains/chats/thread/use-message-actions.ts'
import { rendererSetup } from '../../stores.ts'
import { serveBranch, question, runningAnswer, turns } from './messages.ts'

test('sends one request for two quick presses: edit, regenerate, continue', async () => {
  const app = rendererSetup()
  const saved = serveBranch(app.main, turns(2))
  const thread = app.run(useThread)
  void thread.open('c-1')
  await app.settle()
  const actions = app.run(() =>
    useMessageActions({
      list: () => null,
      copy: () => Promise.resolve(true),
      fill: () => undefined,
      speak: () => undefined,
    }),
  )
  const replies: (() => void)[] = []
  const reply = {
    conversation: saved.conversation,
    question: question('q', { parentId: null, siblings: ['m0', 'q'] }),
    answer: runningAnswer('a', { parentId: 'q' }),
  }
  const later = () => new Promise((resolve) => replies.push(() => resolve(reply)))
  for (const route of ['chats.edit', 'chats.regenerate', 'chats.continue'])
    app.main.answer(route, later)
  const asks = (route: string) => app.main.requests.filter((one) => one.route === route).length
  const [q, a] = turns(2)
  if (!q || !a) throw new Error('There is no turn')
  actions.act('edit', q)
  for (let press = 0; press < 2; press++) {
    void actions.save(q, { text: 'In other words', attachments: [] })
    actions.act('regenerate', a)
    actions.act('continue', a)
    await app.settle()
  }
  expect(['chats.edit', 'chats.regenerate', 'chats.continue'].map(asks)).toEqual([1, 1, 0])
  expect([...actions.busy.value]).toEqual([q.id, a.id])
  for (const answer of replies) answer()
  await app.settle()
  expect([[...actions.busy.value], actions.editing.value]).toEqual([[], null])
})
