import type { Asked } from '../../../shared/bridge/chats.ts'
import { continuation } from '../../../shared/chat/continue.ts'
import type { ChatMessage, Conversation, MessageState } from '../../../shared/model/chat.ts'
import { AppError } from '../../errors.ts'
import { shownTitle } from '../runs/title.ts'
import { checkQuestion } from './check-question.ts'
import type { Desk } from './desk.ts'
import { behindTheScenes, isUnsent, movingBehind, unsentBehind } from './queue.ts'
import type { AskRequest, Asking, ChatsDeps } from './types.ts'

/** What asking is built from. */
export interface AskingDeps extends Pick<
  ChatsDeps,
  'store' | 'hub' | 'clock' | 'ids' | 'unreachable' | 'onMessage' | 'onLibrary'
> {
  readonly desk: Desk
  /** Over when what an earlier run left is settled: nothing is asked before. */
  ready(): Promise<void>
  /** Ends an answer of which only its row says that it runs. */
  settleLeft(messageId: string): Promise<void>
}

/** A place in the tree where a question is put. */
interface Place {
  readonly conversation: Conversation
  readonly parentId: string | null
  /** Unsent questions behind this message come behind the new one. */
  readonly followersOf?: string
}

/** Builds what begins, ends and moves messages. */
export function createAsking(deps: AskingDeps): Asking {
  const { store, desk, clock, ids } = deps
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
  const asked = (conversationId: string, questionId: string, answerId: string | null): Asked => ({
    conversation: conversationOf(conversationId),
    question: messageOf(questionId),
    answer: answerId === null ? null : messageOf(answerId),
  })

  /** Whether a question at this place goes at once, behind others, or when there is a network. */
  const stateAt = ({ conversation, parentId }: Place, waits: boolean): MessageState => {
    const parent = parentId === null ? undefined : chats.message(parentId)
    if (desk.running(conversation.id) || (parent && isUnsent(parent))) return 'queued'
    return waits && deps.unreachable(conversation.accountId) ? 'waiting' : 'done'
  }

  /** Whether what a question follows is over: it did not wait for its good end. */
  const isOver = (parentId: string | null): boolean => {
    const parent = parentId === null ? undefined : chats.message(parentId)
    return !parent || (parent.state !== 'running' && !isUnsent(parent))
  }

  /** Puts a question into the tree, and begins its answer where nothing is in the way. */
  const put = (place: Place, request: AskRequest, connectionId: string): Asked => {
    const { conversation, parentId, followersOf } = place
    const { text, attachments, streamId, waits } = request
    const { id: conversationId, settings, title } = conversation
    checkQuestion(store, conversation, text, attachments)
    requireFree(streamId)
    const state = stateAt(place, waits)
    const questionId = ids()
    const at = clock()
    const chain = followersOf === undefined ? [] : unsentBehind(chats, conversationId, followersOf)
    store.transaction(() => {
      movingBehind(chats, conversationId, chain, () => {
        // One that goes at once is sent when its answer's row is there: an end between the two leaves a question that can be sent.
        const first = state === 'done' ? 'queued' : state
        const made = { id: questionId, conversationId, parentId, role: 'user' } as const
        chats.add({
          ...made,
          state: first,
          text,
          attachments,
          streamId: null,
          settings,
          retold: 0,
          at,
        })
        return questionId
      })
      if (title === '') chats.rename(conversationId, titleOf(request), at)
    })
    const question = messageOf(questionId)
    if (state === 'done') {
      const connectionIds = [connectionId]
      const answer = desk.begin(question, { streamId, connectionIds, waits })
      for (const { id } of chain) desk.mayGo(id)
      deps.onLibrary([conversationId])
      return asked(conversationId, questionId, answer.id)
    }
    if (state === 'queued') desk.mayGo(questionId, isOver(parentId))
    for (const one of [question, ...chain]) deps.onMessage(messageOf(one.id))
    desk.told(conversationId)
    deps.onLibrary([conversationId])
    return asked(conversationId, questionId, null)
  }

  /** Takes an unsent question out of the tree; those behind it stay, behind what it followed. */
  const takeOut = (question: ChatMessage): void => {
    const { conversationId, parentId } = question
    const behind = unsentBehind(chats, conversationId, question.id)
    store.transaction(() =>
      behindTheScenes(chats, conversationId, [question.id, ...behind.map(({ id }) => id)], () =>
        movingBehind(chats, conversationId, behind, () => {
          chats.takeBack(question.id)
          return parentId
        }),
      ),
    )
    for (const { id } of behind) deps.onMessage(messageOf(id))
  }

  /** Asks once more what an answer answered. */
  const again = (
    question: ChatMessage,
    streamId: string,
    connectionId: string,
    followersOf: string | undefined,
  ): Asked => {
    const conversation = conversationOf(question.conversationId)
    checkQuestion(store, conversation, question.text, question.attachments)
    requireFree(streamId)
    if (desk.running(conversation.id))
      throw new AppError('REFUSED', 'Another answer of this conversation is being written', {
        retriable: true,
        params: { what: 'answering' },
      })
    const connectionIds = [connectionId]
    const answer = desk.begin(question, {
      streamId,
      connectionIds,
      followersOf,
      anew: followersOf === undefined,
    })
    return asked(conversation.id, question.id, answer.id)
  }

  const regenerate: Asking['regenerate'] = async (messageId, streamId, connectionId) => {
    await deps.ready()
    const old = messageOf(messageId, 'assistant')
    await desk.stop(old.id)
    return again(messageOf(old.parentId ?? ''), streamId, connectionId, old.id)
  }

  return {
    async ask(id, request, connectionId) {
      await deps.ready()
      const conversation = conversationOf(id)
      return put({ conversation, parentId: conversation.leafId }, request, connectionId)
    },
    async edit(messageId, request, connectionId) {
      await deps.ready()
      const old = messageOf(messageId, 'user')
      const { parentId, conversationId } = old
      checkQuestion(store, conversationOf(conversationId), request.text, request.attachments)
      requireFree(request.streamId)
      if (isUnsent(old)) {
        const behind = unsentBehind(chats, conversationId, old.id)
        takeOut(old)
        const conversation = conversationOf(conversationId)
        const followersOf = behind.length > 0 && parentId !== null ? { followersOf: parentId } : {}
        return put({ conversation, parentId, ...followersOf }, request, connectionId)
      }
      const running = desk.running(conversationId)
      if (running?.questionId === old.id) await desk.stop(running.answerId)
      return put({ conversation: conversationOf(conversationId), parentId }, request, connectionId)
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
      return put({ conversation, parentId: id, followersOf: id }, request, connectionId)
    },
    async send(messageId, streamId, connectionId) {
      await deps.ready()
      const question = messageOf(messageId, 'user')
      const { conversationId, parentId } = question
      if (!isUnsent(question)) return again(question, streamId, connectionId, undefined)
      desk.mayGo(question.id)
      const before = parentId === null ? undefined : chats.message(parentId)
      if (desk.running(conversationId) || (before && isUnsent(before))) {
        const queued = chats.setState(question.id, { state: 'queued', error: null })
        deps.onMessage(queued)
        desk.told(conversationId)
        return asked(conversationId, question.id, null)
      }
      for (const { id } of unsentBehind(chats, conversationId, question.id)) desk.mayGo(id)
      return again(question, streamId, connectionId, undefined)
    },
    async stop(messageId) {
      await desk.stop(messageOf(messageId).id)
      // The store did not take its end when it came to it: what is stored of it is what there is.
      if (messageOf(messageId).state === 'running' && !desk.isActive(messageId))
        await deps.settleLeft(messageId)
      return messageOf(messageId)
    },
    async unqueue(messageId) {
      await deps.ready()
      const question = messageOf(messageId, 'user')
      if (!isUnsent(question))
        throw new AppError('REFUSED', 'The question was sent already', { params: { what: 'sent' } })
      const { conversationId, text, attachments } = question
      const draft = conversationOf(conversationId).draft
      takeOut(question)
      chats.saveDraft(conversationId, {
        text: [text, draft?.text ?? ''].filter((one) => one.trim() !== '').join('\n\n'),
        attachments: [...attachments, ...(draft?.attachments ?? [])],
      })
      desk.told(conversationId)
      return conversationOf(conversationId)
    },
    choose(messageId) {
      const conversation = chats.choose(messageId)
      desk.told(conversation.id)
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
