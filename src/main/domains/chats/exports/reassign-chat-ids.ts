import type { ChatJson, ChatJsonMessage } from '../../../../shared/contract/chat-json.ts'
import { closeAnswer } from '../../../../shared/chats/answer.ts'
import { type AnswerStep } from '../../../../shared/chats/answer-step.ts'
import { chatJsonLimits } from '../../../../shared/chats/chat-json-limits.ts'
import type { ChatMessage } from '../../../../shared/model/chat.ts'
import { overLimit, wrongField } from './read-json.ts'

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
    messages: json.messages.map(({ retold, ...message }) => ({
      ...message,
      resentTurns: retold,
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
  { state, steps, text, endedAt }: Pick<ChatJsonMessage, 'state' | 'steps' | 'text' | 'endedAt'>,
  at: number,
): Pick<ChatMessage, 'state' | 'steps' | 'endedAt'> {
  const typedSteps = steps as readonly AnswerStep[]
  if (state === 'queued' || state === 'waiting')
    return { state: 'done', steps: typedSteps, endedAt }
  if (state !== 'running') return { state, steps: typedSteps, endedAt }
  const closed = closeAnswer({ text, steps: typedSteps, sessionId: null }, at)
  return { state: 'broken', steps: closed.steps, endedAt: endedAt ?? at }
}

/**
 * Checks that the messages are a tree, and returns the depth of each. Parents precede their children, so that there is
 * no cycle. Throws DAMAGED_FILE with the invalid field.
 */
function depthsOf({ messages, leafId }: ChatJson): ReadonlyMap<string, number> {
  const depths = new Map<string, number>()
  for (const [at, { id, parentId, role }] of messages.entries()) {
    const field = `messages[${at}]`
    if (depths.has(id)) throw wrongField(`${field}.id`, 'another message has the same ID')
    if (parentId === null && role === 'assistant')
      throw wrongField(`${field}.parentId`, 'an answer must have a question as its parent')
    const above = parentId === null ? -1 : depths.get(parentId)
    if (above === undefined) throw wrongField(`${field}.parentId`, 'no earlier message has this ID')
    if (above + 1 >= chatJsonLimits.depth)
      throw overLimit(field, chatJsonLimits.depth, 'The tree is too deep')
    depths.set(id, above + 1)
  }
  const known = leafId === null ? messages.length === 0 : depths.has(leafId)
  if (!known) throw wrongField('leafId', 'no message has this ID')
  return depths
}
