import { setImmediate } from 'node:timers/promises'
import type { ErrorCode } from '../../../../shared/contract/reply.ts'
import type { ChatMessage } from '../../../../shared/model/chat.ts'
import { AppError } from '../../../errors.ts'
import { isRepairable, needsKey, retryDelayMs } from '../../../work-queue/retry-policy.ts'
import { charsOf } from '../../../runs/event-log.ts'
import { isStoreProblem } from '../../../platform/database/persist.ts'
import type { AnswerRunner, AnswerRunnerDeps, Leave } from './answer-runner-types.ts'
import { runAnswer, type Started } from './answer.ts'
import { planOf } from './plan.ts'
import { behindTheScenes, isOver, movingBehind, unsentBehind, unsentOf } from './queue.ts'
import type { ChatsDeps } from './chat-service-types.ts'

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
  const tries = createTries(deps, (questionId) => trySending(questionId))

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
    if (waits.delete(questionId) && code !== undefined && passes(code)) waitAgain(questionId, code)
    else tries.forget(questionId)
    reportConversation(answer.conversationId)
    deps.emit({ type: 'library.changed', itemIds: [answer.conversationId] })
  }
  const waitAgain = (questionId: string, code: ErrorCode): void => {
    if (!tries.failed(questionId, code)) return
    try {
      deps.emit({
        type: 'chat.message',
        message: store.chats.setState(questionId, { state: 'waiting', error: null }),
      })
    } catch (error) {
      // The failed answer is saved, and can be requested again.
      log.warn('failed to queue a question again', { error })
    }
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
      })
    active.set(answer.id, { conversationId, questionId, controller, givingUp, done })
  }

  const begin: AnswerRunner['begin'] = (given, beginning) => {
    const { streamId, connectionIds, followersOf } = beginning
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
            retold: plan.turns.length,
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
    launch({ ...started, writer: deps.hub.open(streamId, { connectionIds }) })
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
          return tries.isFresh(one.id) && isAnswered(one.parentId) && canWake(one)
        const leave = mayGo.get(one.id)
        return leave !== undefined && (leave.anyway || isAnswered(one.parentId))
      })
      if (due) sendByItself(due, due.state === 'waiting' || (mayGo.get(due.id)?.waits ?? false))
    } catch (error) {
      log.warn('failed to send the next question', { error })
      later(error, () => next(conversationId))
    }
  }
  const sendByItself = (question: ChatMessage, mayWait: boolean): void => {
    const how = { waits: mayWait, byItself: true, restart: true }
    begin(question, { streamId: ids(), connectionIds: [], ...how })
  }
  const isAnswered = (parentId: string | null): boolean =>
    parentId === null || store.chats.message(parentId)?.state === 'done'

  /** Whether a waiting question can be sent now. One that has lost a part is not sent automatically. */
  const canWake = ({ id, state, error, conversationId, parentId }: ChatMessage): boolean => {
    if (state !== 'waiting' || error !== null || tries.isResting(id)) return false
    if (isClosing(conversationId) || running(conversationId)) return false
    const conversation = store.chats.get(conversationId)
    if (!conversation || conversation.deletedAt !== null) return false
    return !deps.unreachable(conversation.accountId) && isOver(store.chats, parentId)
  }
  const wake: AnswerRunner['wake'] = (question) => {
    if (canWake(question)) sendByItself(question, true)
  }
  const trySending = (questionId: string): void => {
    try {
      const question = store.chats.message(questionId)
      if (question?.state === 'waiting') wake(question)
      else tries.forget(questionId)
    } catch (error) {
      log.warn('failed to send a waiting question', { error })
      later(error, () => trySending(questionId))
    }
  }
  /** Retries later what the store rejected now: nothing else would trigger it. */
  const later = (error: unknown, work: () => void): void => {
    if (!isStoreProblem(error)) return
    deps.after(againMs, () => {
      if (!closing.signal.aborted) work()
    })
  }

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
    byHand: (questionId) => tries.forget(questionId),
    isClosing,
    wake,
    wakeFresh(conversationId) {
      for (const one of unsentOf(store.chats, conversationId))
        if (tries.isFresh(one.id)) trySending(one.id)
    },
    reportConversation,
    countWaiting,
    stop,
    async forget(conversationIds) {
      const gone = new Set(conversationIds)
      const unsent = store.chats.unfinished().filter((one) => gone.has(one.conversationId))
      for (const { messageId } of unsent) {
        mayGo.delete(messageId)
        tries.forget(messageId)
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
      tries.stop()
      for (const { controller } of active.values()) controller.abort()
      await Promise.all([...active.values()].map(({ done }) => done))
    },
  }
}

/** Maximum number of automatic attempts: then the failure remains, and the user has to send the question. */
const maxTries = 6

/** Counts how often waiting questions were sent automatically and failed in this run of Lectern. */
interface Tries {
  /** Records a failure; returns false when the question must not be sent automatically again. */
  failed(questionId: string, code: ErrorCode): boolean
  /** Whether the question has not been tried yet. */
  isFresh(questionId: string): boolean
  /** Whether the delay of the question is still running. */
  isResting(questionId: string): boolean
  forget(questionId: string): void
  /** Cancels all delays. */
  stop(): void
}

interface Tried {
  readonly count: number
  /** Cancels the delay; null when it is over. */
  readonly cancel: (() => void) | null
}

/** Creates the retry counter. `due` is called when a delay is over. */
function createTries(
  { after }: Pick<ChatsDeps, 'after'>,
  due: (questionId: string) => void,
): Tries {
  const tried = new Map<string, Tried>()
  const forget = (questionId: string): void => {
    tried.get(questionId)?.cancel?.()
    tried.delete(questionId)
  }
  return {
    failed(questionId, code) {
      const before = tried.get(questionId)?.count ?? 0
      forget(questionId)
      if (before >= maxTries) return false
      const count = before + 1
      const over = (): void => {
        tried.set(questionId, { count, cancel: null })
        due(questionId)
      }
      const cancel = needsKey(code) ? null : after(retryDelayMs(count), over)
      tried.set(questionId, { count, cancel })
      return true
    },
    isFresh: (questionId) => !tried.has(questionId),
    isResting: (questionId) => (tried.get(questionId)?.cancel ?? null) !== null,
    forget,
    stop() {
      for (const questionId of tried.keys()) forget(questionId)
    },
  }
}
