import type { QuestionWithAnswer } from '../../../../shared/contract/chats.ts'
import { continuation } from '../../../../shared/chats/continue.ts'
import type { ChatMessage, Conversation, MessageState } from '../../../../shared/model/chat.ts'
import { AppError } from '../../../errors.ts'
import { shownTitle } from '../../../runs/run-title.ts'
import { checkQuestion } from './check-question.ts'
import type { AnswerRunner } from './answer-runner.ts'
import {
  behindTheScenes,
  isOver,
  isPending,
  isUnsent,
  movingBehind,
  unsentBehind,
} from './queue.ts'
import type { AskRequest, QuestionActions, ChatsDeps } from './chat-service-types.ts'

interface QuestionActionsDeps extends Pick<
  ChatsDeps,
  'store' | 'hub' | 'clock' | 'ids' | 'unreachable' | 'emit'
> {
  readonly runner: AnswerRunner
  /** Resolves when leftovers of an earlier run are repaired: no question is sent before. */
  ready(): Promise<void>
  /** Ends an answer that is only stored as running. */
  settleLeft(messageId: string): Promise<void>
}

/** Position in the message tree at which a question is inserted. */
interface Place {
  readonly conversation: Conversation
  readonly parentId: string | null
  /** Unsent questions that follow the new one. */
  readonly behind: readonly ChatMessage[]
  /** The unsent question that it replaces. */
  readonly instead?: ChatMessage
  /** The question that is edited, whose files are kept. */
  readonly of?: ChatMessage
}

/** Creates the operations that start, end and move messages. */
export function createQuestionActions(deps: QuestionActionsDeps): QuestionActions {
  const { store, runner, clock, ids } = deps
  const { chats } = store

  const conversationOf = (id: string): Conversation => {
    const found = chats.get(id)
    if (!found) throw new AppError('NOT_FOUND', 'Chat not found')
    return found
  }
  const messageOf = (id: string, role?: ChatMessage['role']): ChatMessage => {
    const found = chats.message(id)
    if (!found) throw new AppError('NOT_FOUND', 'Message not found')
    if (role && found.role !== role)
      throw new AppError('BAD_REQUEST', `The message does not have the role ${role}`, {
        params: { what: 'messageId' },
      })
    return found
  }
  const requireFree = (streamId: string): void => {
    if (deps.hub.has(streamId)) throw new AppError('REFUSED', 'The stream ID is already in use')
  }
  const questionOf = (
    conversationId: string,
    questionId: string,
    answerId: string | null,
  ): QuestionWithAnswer => ({
    conversation: conversationOf(conversationId),
    question: messageOf(questionId),
    answer: answerId === null ? null : messageOf(answerId),
  })

  /** State of a question at this position: sent now, queued after others, or waiting for the network. */
  const stateAt = ({ conversation, parentId }: Place, waits: boolean): MessageState => {
    const parent = parentId === null ? undefined : chats.message(parentId)
    // A question asked while Lectern closes or the conversation is being deleted is saved; the user can send it if it still exists.
    if (runner.running(conversation.id) || runner.isClosing(conversation.id)) return 'queued'
    if (waits && deps.unreachable(conversation.accountId)) return 'waiting'
    return parent && isPending(chats, parent) ? 'queued' : 'done'
  }

  /** Inserts a question into the tree and starts its answer if nothing prevents it, atomically. */
  const put = (place: Place, request: AskRequest, connectionId: string): QuestionWithAnswer => {
    const { conversation, parentId, behind, instead, of } = place
    const { text, attachments, streamId, waits } = request
    const { id: conversationId, settings, title } = conversation
    checkQuestion(store, conversation, text, attachments)
    requireFree(streamId)
    const state = stateAt(place, waits)
    const questionId = ids()
    const made = { id: questionId, conversationId, parentId, role: 'user' } as const
    const words = {
      text,
      attachments,
      settings,
      streamId: null,
      resentTurns: 0,
      at: clock(),
    } as const
    const holder = of ? chats.holderOf(of.id) : null
    const add = (first: MessageState): ChatMessage => {
      movingBehind(chats, conversationId, behind, () => {
        if (instead) chats.takeBack(instead.id)
        chats.add({ ...made, ...words, holder, state: first })
        return questionId
      })
      if (title === '') chats.rename(conversationId, titleOf(request), words.at)
      return messageOf(questionId)
    }
    if (state === 'done') {
      const how = { streamId, connectionIds: [connectionId], waits }
      const answer = runner.begin(() => add('queued'), how)
      if (instead) runner.forgetRetries(instead.id)
      for (const { id } of behind) runner.mayGo(id)
      deps.emit({ type: 'library.changed', itemIds: [conversationId] })
      return questionOf(conversationId, questionId, answer.id)
    }
    store.transaction(() => add(state))
    if (instead) runner.forgetRetries(instead.id)
    if (state === 'queued') runner.mayGo(questionId, { anyway: isOver(chats, parentId), waits })
    for (const id of [questionId, ...behind.map((one) => one.id)])
      deps.emit({ type: 'chat.message', message: messageOf(id) })
    runner.reportConversation(conversationId)
    deps.emit({ type: 'library.changed', itemIds: [conversationId] })
    return questionOf(conversationId, questionId, null)
  }

  /** Removes an unsent question from the tree and moves its text to the draft; the questions after it follow its parent. */
  const takeOut = (question: ChatMessage): void => {
    const { conversationId, parentId, text, attachments } = question
    const behind = unsentBehind(chats, conversationId, question.id)
    store.transaction(() => {
      const place = [question.id, ...behind.map(({ id }) => id)]
      behindTheScenes(chats, conversationId, place, () =>
        movingBehind(chats, conversationId, behind, () => {
          chats.takeBack(question.id)
          return parentId
        }),
      )
      const { draft } = conversationOf(conversationId)
      chats.saveDraft(conversationId, {
        text: [text, draft?.text ?? ''].filter((one) => one.trim() !== '').join('\n\n'),
        attachments: [...attachments, ...(draft?.attachments ?? [])],
      })
    })
    runner.forgetRetries(question.id)
    for (const { id } of behind) deps.emit({ type: 'chat.message', message: messageOf(id) })
  }

  /** Asks the question of an answer again. */
  const again = (
    question: ChatMessage,
    streamId: string,
    connectionId: string,
    followersOf: string | undefined,
  ): QuestionWithAnswer => {
    const conversation = conversationOf(question.conversationId)
    checkQuestion(store, conversation, question.text, question.attachments)
    requireFree(streamId)
    if (runner.running(conversation.id))
      throw new AppError('REFUSED', 'Another answer in this chat is still being written', {
        retriable: true,
        params: { problem: 'answering' },
      })
    runner.forgetRetries(question.id)
    const connectionIds = [connectionId]
    const answer = runner.begin(question, {
      streamId,
      connectionIds,
      followersOf,
      // A question that waited continues to wait if it cannot be sent.
      waits: question.state === 'waiting',
      restart: followersOf === undefined,
    })
    return questionOf(conversation.id, question.id, answer.id)
  }

  /** Stops an answer. */
  const ended = async (answerId: string): Promise<void> => {
    await runner.stop(answerId)
    // The store did not accept its end: the stored part is all there is.
    if (chats.message(answerId)?.state === 'running' && !runner.isActive(answerId))
      await deps.settleLeft(answerId)
  }

  const regenerate: QuestionActions['regenerate'] = async (messageId, streamId, connectionId) => {
    await deps.ready()
    const old = messageOf(messageId, 'assistant')
    await ended(old.id)
    const question = messageOf(old.parentId ?? '')
    // If the question is still waiting, the failed attempt is repeated.
    return again(question, streamId, connectionId, isUnsent(question) ? undefined : old.id)
  }

  return {
    async ask(id, request, connectionId) {
      await deps.ready()
      const conversation = conversationOf(id)
      const place = { conversation, parentId: conversation.leafId, behind: [] }
      return put(place, request, connectionId)
    },
    async edit(messageId, request, connectionId) {
      await deps.ready()
      const old = messageOf(messageId, 'user')
      const { parentId, conversationId } = old
      checkQuestion(store, conversationOf(conversationId), request.text, request.attachments)
      requireFree(request.streamId)
      const running = runner.running(conversationId)
      if (running?.questionId === old.id) await runner.stop(running.answerId)
      // Current state after the wait.
      const now = messageOf(messageId, 'user')
      const conversation = conversationOf(conversationId)
      if (!isUnsent(now))
        return put({ conversation, parentId, behind: [], of: now }, request, connectionId)
      const behind = unsentBehind(chats, conversationId, now.id)
      const waits = request.waits || now.state === 'waiting'
      const place = { conversation, parentId: now.parentId, behind, instead: now, of: now }
      return put(place, { ...request, waits }, connectionId)
    },
    regenerate,
    async continue(messageId, streamId, connectionId) {
      await deps.ready()
      const { id, state, text, conversationId } = messageOf(messageId, 'assistant')
      if (state === 'running' || text === '')
        throw new AppError('REFUSED', 'There is nothing to continue', {
          params: { what: 'continue' },
        })
      const conversation = conversationOf(conversationId)
      const request = { text: continuation(text), attachments: [], streamId, waits: false }
      const behind = unsentBehind(chats, conversationId, id)
      return put({ conversation, parentId: id, behind }, request, connectionId)
    },
    async send(messageId, streamId, connectionId) {
      await deps.ready()
      const question = messageOf(messageId, 'user')
      const { conversationId, parentId } = question
      if (!isUnsent(question)) return again(question, streamId, connectionId, undefined)
      const behind = unsentBehind(chats, conversationId, question.id)
      const before = parentId === null ? undefined : chats.message(parentId)
      const allow = (): void => {
        runner.forgetRetries(question.id)
        for (const { id } of behind) runner.mayGo(id)
      }
      if (runner.running(conversationId) || (before && isPending(chats, before))) {
        const queued = chats.setState(question.id, { state: 'queued', error: null })
        allow()
        runner.mayGo(question.id, question.state === 'waiting' ? { waits: true } : {})
        deps.emit({ type: 'chat.message', message: queued })
        runner.reportConversation(conversationId)
        return questionOf(conversationId, question.id, null)
      }
      const sent = again(question, streamId, connectionId, undefined)
      allow()
      return sent
    },
    async stop(messageId) {
      await ended(messageOf(messageId).id)
      return messageOf(messageId)
    },
    async unqueue(messageId) {
      await deps.ready()
      const question = messageOf(messageId, 'user')
      if (!isUnsent(question))
        throw new AppError('REFUSED', 'The question was already sent', { params: { what: 'sent' } })
      takeOut(question)
      runner.reportConversation(question.conversationId)
      return conversationOf(question.conversationId)
    },
    choose(messageId) {
      const conversation = chats.choose(messageId)
      runner.reportConversation(conversation.id)
      return conversation
    },
  }
}

/** Title of an unnamed conversation: its first question, or the name of the first attachment. */
function titleOf({ text, attachments }: AskRequest): string {
  const [first] = attachments
  const name = first && (first.kind === 'document' ? first.title : first.name)
  return shownTitle(text) || shownTitle(name ?? '')
}
