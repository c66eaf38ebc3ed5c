import { expect, test } from 'vitest'
import { useDrafts } from '../../../src/renderer/src/features/chats/composer/drafts.ts'
import { usePendingQuestions } from '../../../src/renderer/src/features/chats/thread/pending-question.ts'
import { useThread } from '../../../src/renderer/src/features/chats/thread/store.ts'
import { bench } from '../stores.ts'
import { preserveBranch, question, runningAnswer, turns } from './messages.ts'

async function opened(fail: boolean = false) {
  const error = { code: 'INTERNAL', message: 'no', retriable: true, at: 1 } as const
  const app = bench(fail ? { fail: { 'chats.ask': error } } : {})
  const kept = preserveBranch(app.main, turns(2))
  const thread = app.run(useThread)
  void thread.open('c-1')
  await app.settle()
  return { ...app, kept, thread, asking: app.run(usePendingQuestions), drafts: app.run(useDrafts) }
}
const given = { to: 'c-1', text: 'How?', attachments: [], waits: false }

test('a question that main does not answer is seen, and can be taken back; heard of late, it goes no further', async () => {
  const { asking, drafts, main, kept, settle } = await opened()
  let reply: (value: unknown) => void = () => undefined
  main.answer('chats.ask', () => new Promise((resolve) => (reply = resolve)))
  const done = asking.ask(given)
  await expect
    .poll(() => asking.pending.map(({ text, late }) => [text, late]))
    .toEqual([['How?', true]])
  asking.takeBack(asking.pending[0]?.key ?? 0)
  expect([asking.pending, drafts.of('c-1').text]).toEqual([[], 'How?'])
  const q = question('q', { parentId: 'm1', depth: 2 })
  const a = runningAnswer('a', { parentId: 'q', depth: 3 })
  kept.branch = [...turns(2), q, a]
  reply({ conversation: kept.conversation, question: q, answer: a })
  expect(await done).toBeNull()
  await settle()
  expect(main.asked.find(({ route }) => route === 'chats.stop')?.payload).toEqual({
    messageId: 'a',
  })
  expect(drafts.of('c-1').text).toBe('How?')
})

test('a question that is refused is back in its field with its files, before what was written since', async () => {
  const { asking, drafts } = await opened(true)
  const attachments = [{ kind: 'image', mediaId: 'p', name: 'goat.png' }] as const
  const done = asking.ask({ ...given, attachments })
  drafts.set('c-1', { text: 'And then?', attachments: [] })
  expect(await done).toBeNull()
  expect(asking.pending).toEqual([])
  expect(drafts.of('c-1')).toEqual({ text: 'How?\n\nAnd then?', attachments })
})
