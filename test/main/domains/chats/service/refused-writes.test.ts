import { expect, test } from 'vitest'
import { AppError } from '../../../../../src/main/errors.ts'
import type { ChatMessage } from '../../../../../src/shared/model/chat.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import { agent, agentAnswer, sse } from '../../../app/chat-setup.ts'
import { chatSetup, type ChatSetup } from './chat-setup.ts'

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

/** Rejects the write with this number, counted from now, once. Returns whether it occurred. */
function refuseWrite({ store }: ChatSetup, number: number): { reached: boolean; lift(): void } {
  const refusal = { reached: false, lift: () => undefined as void }
  let count = 0
  const real = { ...store.chats }
  const refusing =
    <Args extends unknown[], Result>(write: (...args: Args) => Result) =>
    (...args: Args): Result => {
      count += 1
      if (count === number) {
        refusal.reached = true
        throw new AppError('DISK_FULL', 'full')
      }
      return write(...args)
    }
  for (const name of writes) Object.assign(store.chats, { [name]: refusing(real[name] as never) })
  refusal.lift = () => void Object.assign(store.chats, real)
  return refusal
}

interface Scene {
  readonly setup: ChatSetup
  readonly id: string
  readonly answers: readonly string[]
  readonly questions: readonly string[]
}

const words = (text: string) => ({ text, attachments: [], waits: false })
/**
 * User actions while one answer is running and two questions are queued. `instead` is the expected text of the third question.
 */
const actions: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  ask: ({ setup, id }) => setup.ask(id, 'new'),
  'edit the queued question': ({ setup, questions }) =>
    setup.chats.edit(questions[2] ?? '', { ...words('third'), streamId: setup.stream() }, 'page'),
  'remove the queued question': ({ setup, questions }) => setup.chats.unqueue(questions[2] ?? ''),
  'edit the question that is being answered': ({ setup, questions }) =>
    setup.chats.edit(questions[1] ?? '', { ...words('new'), streamId: setup.stream() }, 'page'),
  stop: ({ setup, answers }) => setup.chats.stop(answers[1] ?? ''),
  regenerate: ({ setup, answers }) =>
    setup.chats.regenerate(answers[1] ?? '', setup.stream(), 'page'),
  'stop and continue': async ({ setup, answers }) => {
    await setup.chats.stop(answers[1] ?? '')
    await setup.chats.continue(answers[1] ?? '', setup.stream(), 'page')
  },
  'stop and send the next question': async ({ setup, answers, questions }) => {
    await setup.chats.stop(answers[1] ?? '')
    await setup.chats.send(questions[2] ?? '', setup.stream(), 'page')
  },
}

async function scene(setup: ChatSetup): Promise<Scene> {
  const half = sse(agentAnswer(['Half']).slice(0, 2))
  setup.server.queue({ body: sse(agentAnswer(['One'])) }, { body: half, hang: true })
  const id = setup.begin(agent)
  const first = await setup.ask(id, 'first')
  await setup.over(first.answer?.id ?? '')
  const second = await setup.ask(id, 'second')
  const third = await setup.ask(id, 'third')
  const fourth = await setup.ask(id, 'fourth')
  const answers = [first.answer?.id ?? '', second.answer?.id ?? '']
  await eventually(() => expect(setup.chats.message(answers[1] ?? '').text).toBe('Half'))
  const questions = [first, second, third, fourth].map(({ question }) => question.id)
  return { setup, id, answers, questions }
}

/** Returns the inconsistencies of a chat. */
function troubles({ setup, id }: Scene): readonly string[] {
  const all: readonly ChatMessage[] = [...setup.store.chats.all(id)]
  const draft = setup.chats.get(id).draft?.text ?? ''
  const ids = new Set(all.map((one) => one.id))
  const found: string[] = []
  for (const text of ['first', 'One', 'second', 'Half', 'third', 'fourth'])
    if (!all.some((one) => one.text === text) && !draft.includes(text)) found.push(`lost ${text}`)
  const written = all.filter(({ role }) => role === 'user').map(({ text }) => text)
  for (const text of ['third', 'fourth'])
    if (written.filter((one) => one === text).length + (draft.includes(text) ? 1 : 0) > 1)
      found.push(`${text} is there twice`)
  for (const { parentId, state } of all) {
    if (parentId !== null && !ids.has(parentId)) found.push('a parent is missing')
    if (state === 'running') found.push('one is running')
  }
  const { leafId, messages } = setup.chats.get(id)
  if (leafId === null || !ids.has(leafId)) found.push('the last message is missing')
  if (messages !== all.length) found.push('the count is wrong')
  return found
}

test.each(Object.keys(actions))(
  'loses nothing and leaves nothing stuck, whichever write is rejected once: %s',
  async (name) => {
    const setup = await chatSetup()
    setup.server.always({ body: sse(agentAnswer(['Yes'], 's2')) })
    let maxWrites = 0
    for (let number = 1; ; number++) {
      const now = await scene(setup)
      const refused = refuseWrite(setup, number)
      const outcome = await actions[name]?.(now).then(
        () => 'done',
        (error: unknown) => (error instanceof AppError ? error.code : String(error)),
      )
      expect(['done', 'DISK_FULL'], name).toContain(outcome)
      // Stop what is still running, as a user would after a failure message.
      for (const { messageId, conversationId, state } of setup.store.chats.unfinished())
        if (state === 'running' && conversationId === now.id)
          await setup.chats.stop(messageId).catch(() => undefined)
      await eventually(() => expect(setup.chats.busy()).toBe(false))
      refused.lift()
      expect(troubles(now), `${name}, write ${number}: ${outcome}`).toEqual([])
      // Every waiting question can be withdrawn.
      for (const { messageId, conversationId } of setup.store.chats.unfinished())
        if (conversationId === now.id) await setup.chats.unqueue(messageId)
      expect(setup.chats.get(now.id).state).toBe('idle')
      expect(troubles(now), `${name}, write ${number}, rolled back`).toEqual([])
      if (!refused.reached) break
      maxWrites = number
    }
    expect(maxWrites).toBeGreaterThan(0)
  },
  120_000,
)
