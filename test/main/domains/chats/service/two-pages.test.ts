import { expect, test } from 'vitest'
import { AppError } from '../../../../../src/main/errors.ts'
import type { ChatMessage } from '../../../../../src/shared/model/chat.ts'
import { eventually } from '../../../../fixtures/eventually.ts'
import { randomFrom } from '../../../../fixtures/random.ts'
import type { ScriptedReply } from '../../../../fixtures/scripted-server.ts'
import { agent, agentAnswer, sse } from '../../../app/chat-setup.ts'
import { chatSetup } from './chat-setup.ts'

const offline = { code: 'OFFLINE', message: 'no', retriable: true, at: 1 } as const
/** Errors a user may get for an action that was too late. */
const tooLate = new Set(['REFUSED', 'NOT_FOUND', 'BAD_REQUEST', 'CANCELLED'])

const steps = 40

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'two pages acting concurrently lose nothing and leave nothing stuck: %i',
  async (seed) => {
    const random = randomFrom(seed)
    const under = (max: number): number => Math.floor(random() * max)
    const setup = await chatSetup()
    const whole = (): string =>
      sse(agentAnswer([`Said ${under(1e9)} `, 'and more'], `s${under(3)}`))
    const reply = (): ScriptedReply => {
      const kind = under(10)
      if (kind === 0) return { status: 401, body: '{"code":401,"message":"no"}' }
      if (kind === 1) return { dropped: true }
      if (kind === 2) return { body: sse(agentAnswer(['Half']).slice(0, 2)), hang: true }
      const body = whole()
      if (kind === 3) return { body, cutAfter: 120 }
      return { body, splitAt: [40, 90, 130], betweenMs: under(6) }
    }
    setup.server.always(async () => {
      await new Promise((resolve) => setTimeout(resolve, under(8)))
      return reply()
    })
    const id = setup.begin(agent)
    const all = (): readonly ChatMessage[] => [...setup.store.chats.all(id)]
    /** Texts that must exist, and the displayed text of answers. */
    const written = new Set<string>()
    const seen = new Map<string, string>()
    const check = (): void => {
      expect(all().filter(({ state }) => state === 'running').length).toBeLessThanOrEqual(1)
      for (const one of all())
        if (one.role === 'assistant' && one.text !== '') {
          expect(one.text.startsWith(seen.get(one.id) ?? '')).toBe(true)
          seen.set(one.id, one.text)
        }
    }
    const one = (of: readonly ChatMessage[]): ChatMessage | undefined => of[under(of.length)]
    const isUnsent = ({ state }: ChatMessage): boolean => state === 'queued' || state === 'waiting'
    let texts = 0
    const words = () => ({
      text: `[${seed}.${(texts += 1)}]`,
      attachments: [],
      waits: under(2) === 0,
      streamId: setup.stream(),
    })
    const action = async (): Promise<void> => {
      const mine = all().filter(({ role }) => role === 'user')
      const answers = all().filter(({ role }) => role === 'assistant')
      const what = under(12)
      const question = one(what === 5 || what === 6 ? mine.filter(isUnsent) : mine)
      const answer = one(what === 3 ? answers.filter(({ state }) => state === 'running') : answers)
      if (what < 2) {
        const request = words()
        await setup.chats.ask(id, request, 'page')
        written.add(request.text)
      } else if (what === 2 && question) {
        const request = words()
        const edited = await setup.chats.edit(question.id, request, 'page')
        written.add(request.text)
        // An unsent question was replaced by the new text.
        if (!setup.store.chats.message(question.id)) written.delete(question.text)
        expect(edited.question.text).toBe(request.text)
      } else if (what === 3 && answer) await setup.chats.stop(answer.id)
      else if (what === 4 && answer) await setup.chats.regenerate(answer.id, setup.stream(), 'page')
      else if (what === 5 && question) await setup.chats.unqueue(question.id)
      else if ((what === 6 || what === 7) && question)
        await setup.chats.send(question.id, setup.stream(), 'page')
      else if (what === 8 && answer) await setup.chats.continue(answer.id, setup.stream(), 'page')
      else if (what === 9 && answer) setup.chats.choose(answer.id)
      else if (what === 10) {
        setup.trouble = under(2) === 0 ? offline : null
        if (!setup.trouble) setup.chats.accountReady('account-1')
      } else await new Promise((resolve) => setTimeout(resolve, under(15)))
    }
    const page = async (): Promise<void> => {
      for (let step = 0; step < steps; step++) {
        await action().catch((error: unknown) => {
          if (!(error instanceof AppError) || !tooLate.has(error.code)) throw error
        })
        check()
      }
    }
    await Promise.all([page(), page()])
    // The user stops what is stuck, and withdraws held questions.
    await eventually(async () => {
      for (const { messageId, state } of setup.store.chats.unfinished())
        if (state === 'running') await setup.chats.stop(messageId)
        else await setup.chats.unqueue(messageId)
      expect(setup.store.chats.unfinished()).toEqual([])
      expect(setup.chats.busy()).toBe(false)
    })
    check()
    const rows = all()
    const ids = new Map(rows.map((row) => [row.id, row]))
    const draft = setup.chats.get(id).draft?.text ?? ''
    for (const text of written) {
      const places = rows.filter((row) => row.text === text).length
      expect(places + (draft.includes(text) ? 1 : 0), text).toBe(1)
    }
    for (const answerId of seen.keys()) expect(ids.has(answerId)).toBe(true)
    for (const { id: own, parentId, depth } of rows) {
      const parent = parentId === null ? null : ids.get(parentId)
      expect(depth, own).toBe(parent === null ? 0 : (parent?.depth ?? NaN) + 1)
    }
    const { leafId, messages, state } = setup.chats.get(id)
    expect([messages, state]).toEqual([rows.length, 'idle'])
    expect(rows.length === 0 ? null : ids.has(leafId ?? '')).toBe(rows.length === 0 ? null : true)
  },
  60_000,
)
