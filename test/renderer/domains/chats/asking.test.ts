import { expect, test } from 'vitest'
import { useDrafts } from '../../../../src/renderer/src/domains/chats/composer/drafts.ts'
import { usePendingQuestions } from '../../../../src/renderer/src/domains/chats/thread/pending-question.ts'
import { useThread } from '../../../../src/renderer/src/domains/chats/thread/thread-store.ts'
import { rendererSetup } from '../../stores.ts'
import { serveBranch, question, runningAnswer, turns } from './messages.ts'

async function opened(fail: boolean = false) {
  const error = { code: 'INTERNAL', message: 'no', retriable: true, at: 1 } as const
  const app = rendererSetup(fail ? { fail: { 'chats.ask': error } } : {})
  const saved = serveBranch(app.main, turns(2))
  const thread = app.run(useThread)
  void thread.open('c-1')
  await app.settle()
  return {
    ...app,
    saved,
    thread,
    pendingQuestions: app.run(usePendingQuestions),
    drafts: app.run(useDrafts),
  }
}
const given = { to: 'c-1', text: 'How?', attachments: [], waits: false }

test('shows an unanswered question, allows withdrawing it, and stops a late answer to it', async () => {
  const { pendingQuestions, drafts, main, saved, settle } = await opened()
  let reply: (value: unknown) => void = () => undefined
  main.answer('chats.ask', () => new Promise((resolve) => (reply = resolve)))
  const done = pendingQuestions.ask(given)
  await expect
    .poll(() => pendingQuestions.pending.map(({ text, late }) => [text, late]))
    .toEqual([['How?', true]])
  pendingQuestions.takeBack(pendingQuestions.pending[0]?.key ?? 0)
  expect([pendingQuestions.pending, drafts.of('c-1').text]).toEqual([[], 'How?'])
  const q = question('q', { parentId: 'm1', depth: 2 })
  const a = runningAnswer('a', { parentId: 'q', depth: 3 })
  saved.branch = [...turns(2), q, a]
  reply({ conversation: saved.conversation, question: q, answer: a })
  expect(await done).toBeNull()
  await settle()
  expect(main.requests.find(({ route }) => route === 'chats.stop')?.payload).toEqual({
    messageId: 'a',
  })
  expect(drafts.of('c-1').text).toBe('How?')
})

test('puts a rejected question with its files back in the field, before newer text', async () => {
  const { pendingQuestions, drafts } = await opened(true)
  const attachments = [{ kind: 'image', mediaId: 'p', name: 'goat.png' }] as const
  const done = pendingQuestions.ask({ ...given, attachments })
  drafts.set('c-1', { text: 'And then?', attachments: [] })
  expect(await done).toBeNull()
  expect(pendingQuestions.pending).toEqual([])
  expect(drafts.of('c-1')).toEqual({ text: 'How?\n\nAnd then?', attachments })
})
