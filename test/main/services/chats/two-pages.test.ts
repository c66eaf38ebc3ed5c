import { expect, test } from 'vitest'
import { AppError } from '../../../../src/main/errors.ts'
import type { ChatMessage } from '../../../../src/shared/model/chat.ts'
import { eventually } from '../../../fixtures/eventually.ts'
import { randomFrom } from '../../../fixtures/random.ts'
import type { ScriptedReply } from '../../../fixtures/scripted-server.ts'
import { agent, agentAnswer, sse } from '../../app/chat-setup.ts'
import { chatExportWorker } from './chat-setup.ts'

const offline = { code: 'OFFLINE', message: 'no', retriable: true, at: 1 } as const
/** What a reader may be told of a deed that came too late. */
const tooLate = new Set(['REFUSED', 'NOT_FOUND', 'BAD_REQUEST', 'CANCELLED'])

const steps = 40

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'two pages that do everything at once lose nothing and leave nothing hanging: %i',
  async (seed) => {
    const random = randomFrom(seed)
    const under = (most: number): number => Math.floor(random() * most)
    const desk = await chatExportWorker()
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
    desk.server.always(async () => {
      await new Promise((resolve) => setTimeout(resolve, under(8)))
      return reply()
    })
    const id = desk.begin(agent)
    const all = (): readonly ChatMessage[] => [...desk.store.chats.all(id)]
    /** Texts that must be there, and what was seen of answers. */
    const written = new Set<string>()
    const seen = new Map<string, string>()
    const look = (): void => {
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
      streamId: desk.stream(),
    })
    const deed = async (): Promise<void> => {
      const mine = all().filter(({ role }) => role === 'user')
      const answers = all().filter(({ role }) => role === 'assistant')
      const what = under(12)
      const question = one(what === 5 || what === 6 ? mine.filter(isUnsent) : mine)
      const answer = one(what === 3 ? answers.filter(({ state }) => state === 'running') : answers)
      if (what < 2) {
        const asked = words()
        await desk.chats.ask(id, asked, 'page')
        written.add(asked.text)
      } else if (what === 2 && question) {
        const asked = words()
        const edited = await desk.chats.edit(question.id, asked, 'page')
        written.add(asked.text)
        // What was not sent gave its place to the other words.
        if (!desk.store.chats.message(question.id)) written.delete(question.text)
        expect(edited.question.text).toBe(asked.text)
      } else if (what === 3 && answer) await desk.chats.stop(answer.id)
      else if (what === 4 && answer) await desk.chats.regenerate(answer.id, desk.stream(), 'page')
      else if (what === 5 && question) await desk.chats.unqueue(question.id)
      else if ((what === 6 || what === 7) && question)
        await desk.chats.send(question.id, desk.stream(), 'page')
      else if (what === 8 && answer) await desk.chats.continue(answer.id, desk.stream(), 'page')
      else if (what === 9 && answer) desk.chats.choose(answer.id)
      else if (what === 10) {
        desk.trouble = under(2) === 0 ? offline : null
        if (!desk.trouble) desk.chats.accountReady('account-1')
      } else await new Promise((resolve) => setTimeout(resolve, under(15)))
    }
    const page = async (): Promise<void> => {
      for (let step = 0; step < steps; step++) {
        await deed().catch((error: unknown) => {
          if (!(error instanceof AppError) || !tooLate.has(error.code)) throw error
        })
        look()
      }
    }
    await Promise.all([page(), page()])
    // The reader ends what hangs, and takes back what is held.
    await eventually(async () => {
      for (const { messageId, state } of desk.store.chats.unfinished())
        if (state === 'running') await desk.chats.stop(messageId)
        else await desk.chats.unqueue(messageId)
      expect(desk.store.chats.unfinished()).toEqual([])
      expect(desk.chats.busy()).toBe(false)
    })
    look()
    const rows = all()
    const ids = new Map(rows.map((row) => [row.id, row]))
    const draft = desk.chats.get(id).draft?.text ?? ''
    for (const text of written) {
      const places = rows.filter((row) => row.text === text).length
      expect(places + (draft.includes(text) ? 1 : 0), text).toBe(1)
    }
    for (const answerId of seen.keys()) expect(ids.has(answerId)).toBe(true)
    for (const { id: own, parentId, depth } of rows) {
      const parent = parentId === null ? null : ids.get(parentId)
      expect(depth, own).toBe(parent === null ? 0 : (parent?.depth ?? NaN) + 1)
    }
    const { leafId, messages, state } = desk.chats.get(id)
    expect([messages, state]).toEqual([rows.length, 'idle'])
    expect(rows.length === 0 ? null : ids.has(leafId ?? '')).toBe(rows.length === 0 ? null : true)
  },
  60_000,
)
