import type { ChatMessage } from '../../../../../shared/model/chat.ts'
import type { Client } from '../../../lib/bridge/client.ts'
import type { Failure } from '../../../../../shared/contract/reply.ts'

/** Number of messages requested at once. */
const atOnce = 200

/**
 * Reads the whole shown branch from its end in steps; `onStep` receives what was read so far, and stops the reading by
 * returning `false`.
 */
export async function readBranch(
  client: Pick<Client, 'request'>,
  id: string,
  onStep: (messages: readonly ChatMessage[]) => boolean,
): Promise<Failure | null> {
  let reply = await client.request('chats.window', { id, limit: atOnce })
  const parts: (readonly ChatMessage[])[] = []
  for (;;) {
    if (!reply.ok) return reply.error
    const { messages, before } = reply.data
    parts.unshift(messages)
    const [first] = messages
    if (!onStep(parts.flat()) || before === 0 || !first) return null
    reply = await client.request('chats.more', {
      messageId: first.id,
      side: 'before',
      limit: atOnce,
    })
  }
}
