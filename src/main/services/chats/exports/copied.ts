import { beginMarkdown } from '../../../exports/chats/markdown.ts'
import type { ChatHead } from '../../../exports/chats/types.ts'
import type { ExportLanguage } from '../../../exports/words.ts'
import type { ChatMessage } from '../../../../shared/model/chat.ts'

/** Messages written before others get their turn. */
const atOnce = 20

/** The shown branch as Markdown, without thinking and tool calls, in turns with everything else. */
export async function copiedBranch(
  head: ChatHead,
  messages: Iterable<ChatMessage>,
  language: ExportLanguage,
): Promise<string> {
  const parts: string[] = []
  const file = {
    write: async (piece: string | Uint8Array) => {
      parts.push(String(piece))
    },
  }
  const writer = await beginMarkdown(file, head, { language, steps: false })
  let count = 0
  for (const message of messages) {
    await writer.message({ message, hashes: {} })
    count += 1
    if (count % atOnce === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await writer.end()
  return parts.slice(1).join('').trim()
}
