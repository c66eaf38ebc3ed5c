import { setImmediate } from 'node:timers/promises'
import type { ErrorCode } from '../../../../shared/contract/reply.ts'
import type { ChatMessage } from '../../../../shared/model/chat.ts'
import { AppError } from '../../../errors.ts'
import {
  isRepairable,
  maxAttempts,
  needsKey,
  retryDelayMs,
} from '../../../work-queue/retry-policy.ts'
import { charsOf } from '../../../runs/event-log.ts'
import { Retries, type Retry } from '../../../work-queue/retries.ts'
import { isStoreProblem } from '../../../platform/database/persist.ts'
import { runAnswer, type AnswerDeps, type Started } from './answer.ts'
import type { ChatsDeps } from './chat-service-types.ts'
import { planOf } from './plan.ts'
import { behindTheScenes, isOver, movingBehind, unsentBehind, unsentOf } from './queue.ts'

interface AnswerRunnerDeps
  extends
    Omit<AnswerDeps, 'closing' | 'givingUp' | 'doubted'>,
    Pick<ChatsDeps, 'hub' | 'after' | 'unreachable' | 'onWaiting' | 'workQueue'> {}

/** Options for starting an answer. */
interface Beginning {
  readonly streamId: string
  readonly connectionIds: readonly string[]
  /** The message whose unsent questions follow the new answer; the question itself when absent. */
  readonly followersOf?: string | undefined
  /** Whether the question waits while the network or a key is missing. */
  readonly waits?: boolean
  /** Whether the answer starts without a user action: the branch that is shown then stays. */
  readonly byItself?: boolean
  /** Whether the answer replaces attempts that produced nothing. */
  readonly restart?: boolean
  /** Called when the provider starts to respond. */
  readonly onResponse?: (() => void) | undefined
}

/** Conditions under which a question may be sent automatically. */
interface Leave {
  /** Also when the answer before it did not end well: it had already ended when the question was asked. */
  readonly anyway: boolean
  /** Whether the question waits while the network or a key is missing, as the user chose. */
  readonly waits: boolean
}

/** Runs answers: one at a time in each conversation, several conversations in parallel. */
export interface AnswerRunner {
  /**
   * Adds the row of the answer and runs it; a question created for it is created in the same transaction. Throws the
   * errors of the store, and CANCELLED while closing.
   */
  begin(question: ChatMessage | (() => ChatMessage), beginning: Beginning): ChatMessage
  /** Returns the running answer of a conversation. */
  running(conversationId: string): { readonly answerId: string; readonly questionId: string } | null
  /** Whether an answer runs in this process; one that is only stored as running is left over from an earlier run. */
  isActive(answerId: string): boolean
  /** Allows a question to be sent automatically when its turn is reached. Omitted options keep their earlier values. */
  mayGo(questionId: string, leave?: Partial<Leave>): void
  /** Forgets that a question may be sent now, and the failed attempts to send it. */
  forgetRetries(questionId: string): void
  /** Whether Lectern is closing or the conversation is about to be deleted: nothing may start in it. */
  isClosing(conversationId: string): boolean
  /**
   * Sends the waiting questions of matching conversations that can be sent now, soon. One that cannot be read stops no
   * other. Throws the errors of the store.
   */
  wake(matches: (conversationId: string) => boolean): void
  /** Sends the waiting questions of a restored conversation that have not been tried yet. */
  wakeFresh(conversationId: string): void
  /** Reports the status of a conversation to the pages. */
  reportConversation(conversationId: string): void
  /** Reports the number of waiting questions. */
  countWaiting(): void
  /** Stops an answer; resolves when it has ended, within `stopMs` at most. */
  stop(answerId: string): Promise<void>
  /**
   * Stops running answers; gives up an end that the store does not accept within `stopMs`. Nothing is sent automatically
   * there any more.
   */
  forget(conversationIds: readonly string[]): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}

/** Maximum time in milliseconds that Stop waits for the answer to end. */
const stopMs = 2000
/** Milliseconds before the start of a question is retried after the store rejected it. */
const againMs = 15_000

/** Minimum number of characters of a long answer. */
const longAnswer = 256 * 1024

/** Failures that are resolved when the network or the account works again. */
const passes = (code: ErrorCode): boolean => code === 'OFFLINE' || isRepairable(code)

interface Active {
  readonly conversationId: string
  readonly questionId: string
  readonly controller: AbortController
  /** Fires when waiting for the end is no longer worthwhile. */
  readonly givingUp: AbortController
  readonly done: Promise<void>
}

interface Waiting {
  readonly question: ChatMessage
  readonly accountId: string
}

const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })

export function createAnswerRunner(deps: AnswerRunnerDeps): AnswerRunner {
  const { store, clock, ids, log } = deps
  const active = new Map<string, Active>()
  const closing = new AbortController()
  /** Questions of this run of Lectern that are sent automatically: the user has to send what a crash left behind. */
  const mayGo = new Map<string, Leave>()
  /** Questions in progress that return to waiting if they fail. */
  const waits = new Set<string>()
  const doubted = new Set<string>()
  /** Conversations that are about to be deleted. */
  const going = new Set<string>()
  const isClosing = (conversationId: string): boolean =>
    closing.signal.aborted || going.has(conversationId)
  /** Waiting questions that may be sent now. */
  const released = new Set<string>()
  /** Of waiting questions, since the user sent them. */
  const retries = new Retries<string>()

  const running: AnswerRunner['running'] = (conversationId) => {
    for (const [answerId, one] of active)
      if (one.conversationId === conversationId) return { answerId, questionId: one.questionId }
    return null
  }

  const reportConversation = (conversationId: string): void => {
    const conversation = store.chats.get(conversationId)
    if (conversation) deps.emit({ type: 'chat.changed', conversation })
    countWaiting()
  }
  const countWaiting = (): void => {
    const waiting = store.chats
      .unfinished()
      .filter(
        ({ state, conversationId }) =>
          state === 'waiting' && store.chats.get(conversationId)?.deletedAt === null,
      )
    deps.onWaiting(waiting.length)
  }

  /** Handles the end of an answer. */
  const ended = (answer: ChatMessage, questionId: string): void => {
    // Writing a long answer took a step of the main thread, and packing it for the pages takes another.
    if (charsOf([answer.text, answer.steps]) <= longAnswer)
      deps.emit({ type: 'chat.message', message: answer })
    else
      setImmediate()
        .then(() => deps.emit({ type: 'chat.message', message: answer }))
        .catch((error: unknown) => log.error('failed to report a finished answer', { error }))
    const code = answer.state === 'failed' ? answer.error?.code : undefined
    if (waits.delete(questionId) && code !== undefined && passes(code)) {
      const at = needsKey(code) ? null : clock() + retryDelayMs(1)
      try {
        waitAgain(questionId, { attempts: 1, at })
        work.kick()
      } catch (error) {
        // The failed answer is saved, and can be requested again.
        log.warn('failed to queue a question again', { error })
      }
    } else if (code === undefined || !passes(code)) forgetRetries(questionId)
    reportConversation(answer.conversationId)
    deps.emit({ type: 'library.changed', itemIds: [answer.conversationId] })
  }
  const waitAgain = (questionId: string, retry: Retry): void => {
    const message = store.chats.setState(questionId, { state: 'waiting', error: null })
    retries.set(questionId, retry)
    deps.emit({ type: 'chat.message', message })
  }
  const forgetRetries = (questionId: string): void => {
    released.delete(questionId)
    retries.delete(questionId)
  }

  const launch = (started: Started): void => {
    const { answer, questionId } = started
    const { conversationId } = answer
    const controller = new AbortController()
    const givingUp = new AbortController()
    const signals = { closing: closing.signal, givingUp: givingUp.signal }
    // Registered before the first step runs, so that it can be stopped from the first moment.
    const done = Promise.resolve()
      .then(() => runAnswer({ ...deps, ...signals, doubted }, started, controller.signal))
      .then((settled) => {
        active.delete(answer.id)
        ended(settled, questionId)
      })
      .catch((error: unknown) => log.error('failed to finish an answer', { error }))
      .finally(() => {
        active.delete(answer.id)
        next(conversationId)
        // Another question of the chat may have become due meanwhile.
        work.kick()
      })
    active.set(answer.id, { conversationId, questionId, controller, givingUp, done })
  }

  const begin: AnswerRunner['begin'] = (given, beginning) => {
    const { streamId, connectionIds, followersOf, onResponse } = beginning
    const { started, place, chain } = store.transaction(() => {
      const question = typeof given === 'function' ? given() : given
      const { conversationId } = question
      // Nothing is started that could only be stored after the store is closed.
      if (isClosing(conversationId)) throw new AppError('CANCELLED', 'Lectern is quitting')
      const conversation = store.chats.get(conversationId)
      if (!conversation) throw new AppError('NOT_FOUND', 'Chat not found')
      const { settings, accountId } = conversation
      const plan = planOf(store, question, settings, accountId)
      const holder = store.accounts.holder(accountId)
      const behind = unsentBehind(store.chats, conversationId, followersOf ?? question.id)
      const answerId = ids()
      const change = (): void =>
        movingBehind(store.chats, conversationId, behind, () => {
          if (question.state !== 'done')
            store.chats.setState(question.id, { state: 'done', error: null })
          if (beginning.restart) store.chats.dropAttempts(question.id)
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
            resentTurns: plan.turns.length,
            holder,
            at: clock(),
          })
          return answerId
        })
      const ofIt = [question.id, answerId, ...behind.map(({ id }) => id)]
      if (beginning.byItself) behindTheScenes(store.chats, conversationId, ofIt, change)
      else change()
      const answer = store.chats.message(answerId)
      if (!answer) throw new AppError('INTERNAL', 'The answer was not saved')
      const made = { answer, questionId: question.id, accountId, holder, settings, plan }
      return { started: made, place: ofIt, chain: behind }
    })
    const { answer, questionId } = started
    mayGo.delete(questionId)
    if (beginning.waits) waits.add(questionId)
    else waits.delete(questionId)
    if (followersOf !== undefined) for (const { id } of chain) allow(id, { anyway: false })
    launch({ ...started, writer: deps.hub.open(streamId, { connectionIds }), onResponse })
    for (const id of place) {
      const message = store.chats.message(id)
      if (message) deps.emit({ type: 'chat.message', message })
    }
    reportConversation(answer.conversationId)
    return answer
  }

  const allow: AnswerRunner['mayGo'] = (questionId, leave = {}) =>
    void mayGo.set(questionId, {
      ...(mayGo.get(questionId) ?? { anyway: false, waits: false }),
      ...leave,
    })

  /** Sends the next sendable question of a conversation in which nothing runs. */
  const next = (conversationId: string): void => {
    try {
      if (isClosing(conversationId) || running(conversationId)) return
      const conversation = store.chats.get(conversationId)
      if (!conversation || conversation.deletedAt !== null) return
      const due = unsentOf(store.chats, conversationId).find((one) => {
        if (one.state === 'waiting')
          return !retries.has(one.id) && isAnswered(one.parentId) && canSend(one)
        const leave = mayGo.get(one.id)
        return leave !== undefined && (leave.anyway || isAnswered(one.parentId))
      })
      if (due?.state === 'waiting') wake(due)
      else if (due) sendByItself(due, mayGo.get(due.id)?.waits ?? false)
    } catch (error) {
      log.warn('failed to send the next question', { error })
      // Nothing else would send it.
      if (isStoreProblem(error))
        deps.after(againMs, () => {
          if (!closing.signal.aborted) next(conversationId)
        })
    }
  }
  const sendByItself = (
    question: ChatMessage,
    mayWait: boolean,
    onResponse?: () => void,
  ): ChatMessage => {
    const how = { waits: mayWait, byItself: true, restart: true, onResponse }
    return begin(question, { streamId: ids(), connectionIds: [], ...how })
  }
  const isAnswered = (parentId: string | null): boolean =>
    parentId === null || store.chats.message(parentId)?.state === 'done'

  /** Whether nothing but a delay prevents sending a waiting question. One that has lost a part is not sent automatically. */
  const canSend = ({ state, error, conversationId, parentId }: ChatMessage): boolean => {
    if (state !== 'waiting' || error !== null) return false
    if (isClosing(conversationId) || running(conversationId)) return false
    const conversation = store.chats.get(conversationId)
    if (!conversation || conversation.deletedAt !== null) return false
    return !deps.unreachable(conversation.accountId) && isOver(store.chats, parentId)
  }
  const wake = (question: ChatMessage): void => {
    if (!canSend(question)) return
    // Otherwise its delay ends first.
    if (typeof retries.get(question.id)?.at !== 'number') released.add(question.id)
    work.wake(store.chats.get(question.conversationId)?.accountId ?? '')
    work.kick()
  }
  const wakeThose = (matches: (conversationId: string, questionId: string) => boolean): void => {
    for (const { messageId, conversationId, state } of store.chats.unfinished())
      try {
        if (state !== 'waiting' || !matches(conversationId, messageId)) continue
        const question = store.chats.message(messageId)
        if (question) wake(question)
      } catch (error) {
        // The others are sent anyway.
        log.error('failed to resume a waiting question', { error })
      }
  }

  /** Waiting questions of an account, or of all, that may be sent now. */
  const sendable = (accountId?: string): readonly Waiting[] =>
    store.chats.unfinished().flatMap(({ messageId, conversationId, state }) => {
      const isRetried = retries.has(messageId) && retries.isDue(messageId, clock())
      if (state !== 'waiting' || !(isRetried || released.has(messageId))) return []
      const question = store.chats.message(messageId)
      const account = store.chats.get(conversationId)?.accountId
      if (!question || account === undefined || (accountId ?? account) !== account) return []
      return canSend(question) ? [{ question, accountId: account }] : []
    })
  const again = ({ question }: Waiting, attempts: number, at: number): void => {
    const { id, conversationId } = question
    // The user may have withdrawn it or sent it again.
    if (!store.chats.message(id) || running(conversationId)?.questionId === id) return
    waitAgain(id, { attempts, at })
    reportConversation(conversationId)
  }
  const work = deps.workQueue.add<Waiting>({
    about: 'waiting question',
    // Chats use different assistants.
    isOneOperation: false,
    id: ({ question }) => question.id,
    group: ({ question }) => question.conversationId,
    takesTurns: false,
    priority: () => 0,
    accounts: () =>
      store.writable && released.size + retries.size > 0
        ? [...new Set(sendable().map(({ accountId }) => accountId))]
        : [],
    size: (accountId) => store.accounts.get(accountId)?.profile.concurrency ?? 1,
    next({ accountId }): Waiting | undefined {
      // The answer to a question in flight may not have started yet, and a chat has only one at a time.
      const busy = new Set(work.inFlight().map(({ question }) => question.conversationId))
      return sendable(accountId).find(({ question }) => !busy.has(question.conversationId))
    },
    nextTime: (after) => retries.next(after),
    async execute({ question }, _, responded) {
      released.delete(question.id)
      const { id } = sendByItself(question, false, responded)
      await active.get(id)?.done
      const answer = store.chats.message(id)
      if (answer?.state === 'done') return 'done'
      const error = answer?.state === 'failed' ? answer.error : null
      if (error && passes(error.code)) throw new AppError(error.code, error.message, error)
      return error?.service ? 'responded' : 'unsent'
    },
    attempts: ({ question }) => retries.attempts(question.id) + 1,
    wait: (item, _, { why, at }) =>
      again(item, retries.attempts(item.question.id) + (why === 'again' ? 1 : 0), at ?? clock()),
    fail(item, { code }) {
      const attempts = retries.attempts(item.question.id) + 1
      if (isRepairable(code) && attempts < maxAttempts)
        again(item, attempts, clock() + retryDelayMs(attempts))
      else forgetRetries(item.question.id)
    },
    stopped: () => undefined,
  })

  const stop = async (answerId: string): Promise<void> => {
    const one = active.get(answerId)
    one?.controller.abort()
    await Promise.race([one?.done, pause(stopMs)])
  }

  return {
    begin,
    running,
    isActive: (answerId) => active.has(answerId),
    mayGo: allow,
    forgetRetries,
    isClosing,
    wake: wakeThose,
    wakeFresh: (id) =>
      wakeThose((conversationId, questionId) => conversationId === id && !retries.has(questionId)),
    reportConversation,
    countWaiting,
    stop,
    async forget(conversationIds) {
      const gone = new Set(conversationIds)
      const unsent = store.chats.unfinished().filter((one) => gone.has(one.conversationId))
      for (const { messageId } of unsent) {
        mayGo.delete(messageId)
        forgetRetries(messageId)
      }
      const theirs = [...active.values()].filter((one) => gone.has(one.conversationId))
      for (const id of gone) going.add(id)
      for (const { controller } of theirs) controller.abort()
      const over = Promise.all(theirs.map(({ done }) => done))
      await Promise.race([over, pause(stopMs)])
      // Otherwise this would wait for a full disk, although deleting is what frees space.
      for (const { givingUp } of theirs) givingUp.abort()
      await over
      for (const id of gone) going.delete(id)
    },
    busy: () => active.size > 0,
    async shutdown() {
      closing.abort()
      for (const { controller } of active.values()) controller.abort()
      await Promise.all([...active.values()].map(({ done }) => done))
      await work.shutdown()
    },
  }
}
