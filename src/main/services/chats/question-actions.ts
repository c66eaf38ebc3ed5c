import type { QuestionWithAnswer } from '../../../shared/bridge/chats.ts'
import { continuation } from '../../../shared/chat/continue.ts'
import type { ChatMessage, Conversation, MessageState } from '../../../shared/model/chat.ts'
import { AppError } from '../../errors.ts'
import { shownTitle } from '../runs/title.ts'
import { checkQuestion } from './check-question.ts'
import type { AnswerRunner } from './answer-runner-types.ts'
import {
  behindTheScenes,
  isOver,
  isPending,
  isUnsent,
  movingBehind,
  unsentBehind,
} from './queue.ts'
import type { AskRequest, QuestionActions, ChatsDeps } from './types.ts'

/** What asking is built from. */
export interface QuestionActionsDeps extends Pick<
  ChatsDeps,
  'store' | 'hub' | 'clock' | 'ids' | 'unreachable' | 'onMessage' | 'onLibrary'
> {
  readonly runner: AnswerRunner
  /** Over when what an earlier run left is settled: nothing is asked before. */
  ready(): Promise<void>
  /** Ends an answer of which only its row says that it runs. */
  settleLeft(messageId: string): Promise<void>
}

/** A place in the tree where a question is put. */
interface Place {
  readonly conversation: Conversation
  readonly parentId: string | null
  /** Unsent questions that come behind the new one. */
  readonly behind: readonly ChatMessage[]
  /** The unsent question whose place it takes. */
  readonly instead?: ChatMessage
  /** The question that is put in other words: whose files it goes on with. */
  readonly of?: ChatMessage
}

/** Builds what begins, ends and moves messages. */
export function createQuestionActions(deps: QuestionActionsDeps): QuestionActions {
  const { store, runner, clock, ids } = deps
  const { chats } = store

  const conversationOf = (id: string): Conversation => {
    const found = chats.get(id)
    if (!found) throw new AppError('NOT_FOUND', 'There is no such conversation')
    return found
  }
  const messageOf = (id: string, role?: ChatMessage['role']): ChatMessage => {
    const found = chats.message(id)
    if (!found) throw new AppError('NOT_FOUND', 'There is no such message')
    if (role && found.role !== role)
      throw new AppError('BAD_REQUEST', `This message is not of the role ${role}`, {
        params: { what: 'messageId' },
      })
    return found
  }
  const requireFree = (streamId: string): void => {
    if (deps.hub.has(streamId)) throw new AppError('REFUSED', 'This stream id is taken')
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

  /** Whether a question at this place goes at once, behind others, or when there is a network. */
  const stateAt = ({ conversation, parentId }: Place, waits: boolean): MessageState => {
    const parent = parentId === null ? undefined : chats.message(parentId)
    // What is asked while Lectern closes, or while it is about to go, is kept, and sent by the reader if it is there again.
    if (runner.running(conversation.id) || runner.isClosing(conversation.id)) return 'queued'
    if (waits && deps.unreachable(conversation.accountId)) return 'waiting'
    return parent && isPending(chats, parent) ? 'queued' : 'done'
  }

  /** Puts a question into the tree, and begins its answer where nothing is in the way: all of it, or nothing. */
  const put = (place: Place, request: AskRequest, connectionId: string): QuestionWithAnswer => {
    const { conversation, parentId, behind, instead, of } = place
    const { text, attachments, streamId, waits } = request
    const { id: conversationId, settings, title } = conversation
    checkQuestion(store, conversation, text, attachments)
    requireFree(streamId)
    const state = stateAt(place, waits)
    const questionId = ids()
    const made = { id: questionId, conversationId, parentId, role: 'user' } as const
    const words = { text, attachments, settings, streamId: null, retold: 0, at: clock() } as const
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
      if (instead) runner.byHand(instead.id)
      for (const { id } of behind) runner.mayGo(id)
      deps.onLibrary([conversationId])
      return questionOf(conversationId, questionId, answer.id)
    }
    store.transaction(() => add(state))
    if (instead) runner.byHand(instead.id)
    if (state === 'queued') runner.mayGo(questionId, { anyway: isOver(chats, parentId), waits })
    for (const id of [questionId, ...behind.map((one) => one.id)]) deps.onMessage(messageOf(id))
    runner.reportConversation(conversationId)
    deps.onLibrary([conversationId])
    return questionOf(conversationId, questionId, null)
  }

  /** Takes an unsent question out of the tree and its words into the draft; those behind it stay, behind what it followed. */
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
    runner.byHand(question.id)
    for (const { id } of behind) deps.onMessage(messageOf(id))
  }

  /** Asks once more what an answer answered. */
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
      throw new AppError('REFUSED', 'Another answer of this conversation is being written', {
        retriable: true,
        params: { what: 'answering' },
      })
    runner.byHand(question.id)
    const connectionIds = [connectionId]
    const answer = runner.begin(question, {
      streamId,
      connectionIds,
      followersOf,
      // What waited waits on where it is sent in vain.
      waits: question.state === 'waiting',
      restart: followersOf === undefined,
    })
    return questionOf(conversation.id, question.id, answer.id)
  }

  /** Stops an answer. */
  const ended = async (answerId: string): Promise<void> => {
    await runner.stop(answerId)
    // The store did not take its end when it came to it: what is stored of it is what there is.
    if (chats.message(answerId)?.state === 'running' && !runner.isActive(answerId))
      await deps.settleLeft(answerId)
  }

  const regenerate: QuestionActions['regenerate'] = async (messageId, streamId, connectionId) => {
    await deps.ready()
    const old = messageOf(messageId, 'assistant')
    await ended(old.id)
    const question = messageOf(old.parentId ?? '')
    // Of one that still waits, the failed attempt is made again.
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
      // As it is after that time.
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
        throw new AppError('REFUSED', 'There is nothing to go on with', {
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
        runner.byHand(question.id)
        for (const { id } of behind) runner.mayGo(id)
      }
      if (runner.running(conversationId) || (before && isPending(chats, before))) {
        const queued = chats.setState(question.id, { state: 'queued', error: null })
        allow()
        runner.mayGo(question.id, question.state === 'waiting' ? { waits: true } : {})
        deps.onMessage(queued)
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
        throw new AppError('REFUSED', 'The question was sent already', { params: { what: 'sent' } })
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

/** A title of a conversation that nobody named: its first question, else the name of what came with it. */
function titleOf({ text, attachments }: AskRequest): string {
  const [first] = attachments
  const name = first && (first.kind === 'document' ? first.title : first.name)
  return shownTitle(text) || shownTitle(name ?? '')
}
