import type { ErrorCode } from '../../../shared/bridge/reply.ts'
import type { ChatMessage } from '../../../shared/model/chat.ts'
import { AppError } from '../../errors.ts'
import { mendable } from '../accounts/mendable.ts'
import { runAnswer } from './answer.ts'
import type { AnswerDeps, Started } from './answer.ts'
import { planOf } from './plan.ts'
import { behindTheScenes, movingBehind, unsentBehind, unsentOf } from './queue.ts'
import type { ChatsDeps } from './types.ts'

/** What the desk is built from. */
export interface DeskDeps
  extends
    Omit<AnswerDeps, 'closing'>,
    Pick<ChatsDeps, 'hub' | 'onConversation' | 'onLibrary' | 'onWaiting'> {}

/** How an answer is begun. */
export interface Beginning {
  readonly streamId: string
  readonly connectionIds: readonly string[]
  /** The message whose unsent questions follow the new answer; the question itself when absent. */
  readonly followersOf?: string | undefined
  /** The question waits for the network or a key where there is none. */
  readonly waits?: boolean
  /** Nobody asked for it now: the branch that is shown stays the one. */
  readonly byItself?: boolean
  /** An attempt that brought nothing is made again in its own row. */
  readonly anew?: boolean
}

/** Where answers run: one at a time in each conversation, several conversations at once. */
export interface Desk {
  /** Adds the answer's row and runs it. Throws what the store throws. */
  begin(question: ChatMessage, beginning: Beginning): ChatMessage
  /** The answer that runs in a conversation. */
  running(conversationId: string): { readonly answerId: string; readonly questionId: string } | null
  /** Whether an answer runs here; one that only its row says runs is left from before. */
  isActive(answerId: string): boolean
  /** This question may be sent by itself when its turn comes; `anyway` where what it follows was over when it was asked, however that ended. */
  mayGo(questionId: string, anyway?: boolean): void
  /** Sends what may go in a conversation where nothing runs. */
  next(conversationId: string): void
  /** Sends a question that waited: nobody asks for it now. */
  sendByItself(question: ChatMessage): void
  /** Tells pages how a conversation stands. */
  told(conversationId: string): void
  /** Tells how many questions wait. */
  countWaiting(): void
  /** Resolves when it is over, which takes `stopMs` at most; for a shorter wait nobody is asked. */
  stop(answerId: string): Promise<void>
  forget(conversationIds: readonly string[]): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}

/** Longest a Stop waits for the answer, in milliseconds. */
const stopMs = 2000

/** Failures that pass when the network or the account is well again. */
const passes = (code: ErrorCode | undefined): boolean =>
  code !== undefined && (code === 'OFFLINE' || mendable.has(code))

interface Active {
  readonly conversationId: string
  readonly questionId: string
  readonly controller: AbortController
  readonly done: Promise<void>
}

/** Builds it. */
export function createDesk(deps: DeskDeps): Desk {
  const { store, clock, ids, log } = deps
  const active = new Map<string, Active>()
  const closing = new AbortController()
  /** Questions of this run of Lectern that go by themselves: what a crash left is the reader's to send. */
  const mayGo = new Map<string, { readonly anyway: boolean }>()
  const waits = new Set<string>()

  const running: Desk['running'] = (conversationId) => {
    for (const [answerId, one] of active)
      if (one.conversationId === conversationId) return { answerId, questionId: one.questionId }
    return null
  }

  const told = (conversationId: string): void => {
    const conversation = store.chats.get(conversationId)
    if (conversation) deps.onConversation(conversation)
    countWaiting()
  }
  const countWaiting = (): void => {
    const waiting = store.chats.unfinished().filter(({ state }) => state === 'waiting')
    deps.onWaiting(waiting.length)
  }

  /** What follows from the end of an answer. */
  const ended = (answer: ChatMessage, questionId: string): void => {
    deps.onMessage(answer)
    if (waits.delete(questionId) && answer.state === 'failed' && passes(answer.error?.code))
      deps.onMessage(store.chats.setState(questionId, { state: 'waiting', error: null }))
    told(answer.conversationId)
    deps.onLibrary([answer.conversationId])
  }

  const launch = (started: Started): void => {
    const { answer, questionId } = started
    const { conversationId } = answer
    const controller = new AbortController()
    // Registered before the first step runs, so that it can be stopped from the first moment.
    const done = Promise.resolve()
      .then(() => runAnswer({ ...deps, closing: closing.signal }, started, controller.signal))
      .then((settled) => {
        active.delete(answer.id)
        ended(settled, questionId)
      })
      .catch((error: unknown) => log.error('an answer did not settle', { error }))
      .finally(() => {
        active.delete(answer.id)
        next(conversationId)
      })
    active.set(answer.id, { conversationId, questionId, controller, done })
  }

  const begin: Desk['begin'] = (question, beginning) => {
    const { conversationId } = question
    const conversation = store.chats.get(conversationId)
    if (!conversation) throw new AppError('NOT_FOUND', 'There is no such conversation')
    const { settings, accountId } = conversation
    const plan = planOf(store, question, settings, accountId)
    const anchor = beginning.followersOf ?? question.id
    const chain = unsentBehind(store.chats, conversationId, anchor)
    const old = beginning.anew ? emptyAttempt(question) : null
    const answerId = old?.id ?? ids()
    const { streamId } = beginning
    const change = (): void =>
      movingBehind(store.chats, conversationId, chain, () => {
        if (question.state !== 'done')
          store.chats.setState(question.id, { state: 'done', error: null })
        if (old) store.chats.setState(answerId, { state: 'running', error: null, streamId })
        else
          store.chats.add({
            id: answerId,
            conversationId,
            parentId: question.id,
            role: 'assistant',
            state: 'running',
            text: '',
            attachments: [],
            streamId,
            settings,
            retold: plan.turns.length,
            at: clock(),
          })
        return answerId
      })
    const place = [question.id, answerId, ...chain.map(({ id }) => id)]
    store.transaction(() =>
      beginning.byItself ? behindTheScenes(store.chats, conversationId, place, change) : change(),
    )
    mayGo.delete(question.id)
    if (beginning.waits) waits.add(question.id)
    for (const { id } of beginning.followersOf === undefined ? [] : chain)
      mayGo.set(id, { anyway: false })
    const answer = store.chats.message(answerId)
    if (!answer) throw new AppError('INTERNAL', 'An answer was not kept')
    const writer = deps.hub.open(streamId, { connectionIds: beginning.connectionIds })
    launch({ answer, questionId: question.id, accountId, settings, plan, writer })
    for (const id of place) {
      const message = store.chats.message(id)
      if (message) deps.onMessage(message)
    }
    told(conversationId)
    return answer
  }

  const next = (conversationId: string): void => {
    try {
      if (closing.signal.aborted || running(conversationId)) return
      const conversation = store.chats.get(conversationId)
      if (!conversation || conversation.deletedAt !== null) return
      const due = unsentOf(store.chats, conversationId).find(
        ({ id, state, parentId }) =>
          state === 'queued' && (mayGo.get(id)?.anyway || (mayGo.has(id) && isAnswered(parentId))),
      )
      if (due) sendByItself(due)
    } catch (error) {
      log.warn('the next question is not sent yet', { error })
    }
  }
  const sendByItself = (question: ChatMessage): void => {
    const how = { waits: true, byItself: true, anew: true }
    begin(question, { streamId: ids(), connectionIds: [], ...how })
  }
  /** The shown answer of a question when it is an attempt that brought nothing at all. */
  const emptyAttempt = ({ id }: ChatMessage): ChatMessage | null => {
    const [answer] = store.chats.more(id, 'after', 1).messages
    const isEmpty =
      answer?.role === 'assistant' &&
      answer.state === 'failed' &&
      answer.text === '' &&
      answer.steps.length === 0
    return isEmpty ? answer : null
  }
  const isAnswered = (parentId: string | null): boolean =>
    parentId === null || store.chats.message(parentId)?.state === 'done'

  const stop = async (answerId: string): Promise<void> => {
    const one = active.get(answerId)
    one?.controller.abort()
    await Promise.race([one?.done, new Promise((resolve) => setTimeout(resolve, stopMs).unref())])
  }

  return {
    begin,
    running,
    isActive: (answerId) => active.has(answerId),
    mayGo: (questionId, anyway = false) => void mayGo.set(questionId, { anyway }),
    next,
    sendByItself,
    told,
    countWaiting,
    stop,
    async forget(conversationIds) {
      const gone = new Set(conversationIds)
      const theirs = [...active.values()].filter((one) => gone.has(one.conversationId))
      for (const one of theirs) {
        for (const { id } of unsentOf(store.chats, one.conversationId)) mayGo.delete(id)
        one.controller.abort()
      }
      await Promise.all(theirs.map(({ done }) => done))
    },
    busy: () => active.size > 0,
    async shutdown() {
      closing.abort()
      for (const { controller } of active.values()) controller.abort()
      await Promise.all([...active.values()].map(({ done }) => done))
    },
  }
}
