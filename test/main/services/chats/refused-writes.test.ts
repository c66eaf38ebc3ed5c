import { expect, test } from 'vitest'
import { AppError } from '../../../../src/main/errors.ts'
import type { ChatMessage } from '../../../../src/shared/model/chat.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import { agent, agentAnswer, sse } from '../../app/chat-setup.ts'
import { chatExportWorker, type ChatSetup } from './chat-setup.ts'

const writes = [
  'add',
  'takeBack',
  'dropAttempts',
  'setState',
  'settle',
  'appendEvents',
  'saveDraft',
  'rename',
  'choose',
] as const

/** Refuses the write of this number, counted from now, once. Tells whether it came to it. */
function refuseWrite({ store }: ChatSetup, number: number): { came: boolean; lift(): void } {
  const told = { came: false, lift: () => undefined as void }
  let count = 0
  const real = { ...store.chats }
  const refusing =
    <Args extends unknown[], Result>(write: (...args: Args) => Result) =>
    (...args: Args): Result => {
      count += 1
      if (count === number) {
        told.came = true
        throw new AppError('DISK_FULL', 'full')
      }
      return write(...args)
    }
  for (const name of writes) Object.assign(store.chats, { [name]: refusing(real[name] as never) })
  told.lift = () => void Object.assign(store.chats, real)
  return told
}

interface Scene {
  readonly desk: ChatSetup
  readonly id: string
  readonly answers: readonly string[]
  readonly questions: readonly string[]
}

const words = (text: string) => ({ text, attachments: [], waits: false })
/** What a reader may do while one answer runs and two questions are queued. `instead` is what stands for the third question then. */
const actions: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  ask: ({ desk, id }) => desk.ask(id, 'new'),
  'put the queued one in other words': ({ desk, questions }) =>
    desk.chats.edit(questions[2] ?? '', { ...words('third'), streamId: desk.stream() }, 'page'),
  'take the queued one back': ({ desk, questions }) => desk.chats.unqueue(questions[2] ?? ''),
  'put the one that is answered in other words': ({ desk, questions }) =>
    desk.chats.edit(questions[1] ?? '', { ...words('new'), streamId: desk.stream() }, 'page'),
  stop: ({ desk, answers }) => desk.chats.stop(answers[1] ?? ''),
  'ask again': ({ desk, answers }) =>
    desk.chats.regenerate(answers[1] ?? '', desk.stream(), 'page'),
  'stop and go on': async ({ desk, answers }) => {
    await desk.chats.stop(answers[1] ?? '')
    await desk.chats.continue(answers[1] ?? '', desk.stream(), 'page')
  },
  'stop and send the next': async ({ desk, answers, questions }) => {
    await desk.chats.stop(answers[1] ?? '')
    await desk.chats.send(questions[2] ?? '', desk.stream(), 'page')
  },
}

async function scene(desk: ChatSetup): Promise<Scene> {
  const half = sse(agentAnswer(['Half']).slice(0, 2))
  desk.server.queue({ body: sse(agentAnswer(['One'])) }, { body: half, hang: true })
  const id = desk.begin(agent)
  const first = await desk.ask(id, 'first')
  await desk.over(first.answer?.id ?? '')
  const second = await desk.ask(id, 'second')
  const third = await desk.ask(id, 'third')
  const fourth = await desk.ask(id, 'fourth')
  const answers = [first.answer?.id ?? '', second.answer?.id ?? '']
  await eventually(() => expect(desk.chats.message(answers[1] ?? '').text).toBe('Half'))
  const questions = [first, second, third, fourth].map(({ question }) => question.id)
  return { desk, id, answers, questions }
}

/** What is wrong with a conversation after all. */
function troubles({ desk, id }: Scene): readonly string[] {
  const all: readonly ChatMessage[] = [...desk.store.chats.all(id)]
  const draft = desk.chats.get(id).draft?.text ?? ''
  const ids = new Set(all.map((one) => one.id))
  const found: string[] = []
  for (const text of ['first', 'One', 'second', 'Half', 'third', 'fourth'])
    if (!all.some((one) => one.text === text) && !draft.includes(text)) found.push(`lost ${text}`)
  const written = all.filter(({ role }) => role === 'user').map(({ text }) => text)
  for (const text of ['third', 'fourth'])
    if (written.filter((one) => one === text).length + (draft.includes(text) ? 1 : 0) > 1)
      found.push(`${text} stands twice`)
  for (const { parentId, state } of all) {
    if (parentId !== null && !ids.has(parentId)) found.push('a parent is gone')
    if (state === 'running') found.push('one runs')
  }
  const { leafId, messages } = desk.chats.get(id)
  if (leafId === null || !ids.has(leafId)) found.push('the end is gone')
  if (messages !== all.length) found.push('the count is wrong')
  return found
}

test.each(Object.keys(actions))(
  'whichever write is refused once, nothing is lost and everything has a way out: %s',
  async (name) => {
    const desk = await chatExportWorker()
    desk.server.always({ body: sse(agentAnswer(['Yes'], 's2')) })
    let most = 0
    for (let number = 1; ; number++) {
      const now = await scene(desk)
      const refused = refuseWrite(desk, number)
      const outcome = await actions[name]?.(now).then(
        () => 'done',
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      )
      expect(['done', 'DISK_FULL'], name).toContain(outcome)
      // What still ran is stopped, as a reader would who was told of a failure.
      for (const { messageId, conversationId, state } of desk.store.chats.unfinished())
        if (state === 'running' && conversationId === now.id)
          await desk.chats.stop(messageId).catch(() => undefined)
      await eventually(() => expect(desk.chats.busy()).toBe(false))
      refused.lift()
      expect(troubles(now), `${name}, write ${number}: ${outcome}`).toEqual([])
      // Every question that waits can be taken back.
      for (const { messageId, conversationId } of desk.store.chats.unfinished())
        if (conversationId === now.id) await desk.chats.unqueue(messageId)
      expect(desk.chats.get(now.id).state).toBe('idle')
      expect(troubles(now), `${name}, write ${number}, taken back`).toEqual([])
      if (!refused.came) break
      most = number
    }
    expect(most).toBeGreaterThan(0)
  },
  120_000,
)
