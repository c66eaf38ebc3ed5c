import type { ChatJson, ChatJsonMessage } from '../../../shared/bridge/chat-json.ts'
import { closeAnswer, type AnswerStep } from '../../../shared/chat/answer.ts'
import type { ChatMessage } from '../../../shared/model/chat.ts'
import { depthsOf } from './tree.ts'

/**
 * An imported message: its IDs are new, its files are not resolved yet, and its siblings follow from its parent.
 */
export interface RemadeMessage extends Omit<ChatMessage, 'attachments' | 'siblings'> {
  readonly attachments: ChatJsonMessage['attachments']
}

/** An imported chat. */
export interface RemadeChat extends Omit<ChatJson, 'messages'> {
  readonly messages: readonly RemadeMessage[]
}

/**
 * Returns the same chat with new IDs that begin with `prefix`: the same file may be imported twice. IDs increase with
 * their position. Nothing is queued or running: an unsent question remains as it is, an unfinished answer counts as
 * stopped.
 */
export function remade(json: ChatJson, prefix: string): RemadeChat {
  const depths = depthsOf(json)
  const names = new Map(
    json.messages.map(({ id }, at) => [id, `${prefix}-m${String(at).padStart(6, '0')}`] as const),
  )
  const nameOf = (id: string | null): string | null =>
    id === null ? null : (names.get(id) ?? null)
  return {
    ...json,
    leafId: nameOf(json.leafId),
    messages: json.messages.map((message) => ({
      ...message,
      ...settled(message, json.exportedAt),
      error: message.error,
      id: nameOf(message.id) ?? '',
      parentId: nameOf(message.parentId),
      conversationId: prefix,
      depth: depths.get(message.id) ?? 0,
      streamId: null,
      nextEvent: 0,
    })),
  }
}

function settled(
  { state, steps, text, endedAt }: ChatJsonMessage,
  at: number,
): Pick<ChatMessage, 'state' | 'steps' | 'endedAt'> {
  const typedSteps = steps as readonly AnswerStep[]
  if (state === 'queued' || state === 'waiting')
    return { state: 'done', steps: typedSteps, endedAt }
  if (state !== 'running') return { state, steps: typedSteps, endedAt }
  const closed = closeAnswer({ text, steps: typedSteps, sessionId: null }, at)
  return { state: 'broken', steps: closed.steps, endedAt: endedAt ?? at }
}
