import type { ChatJson, ChatJsonMessage } from '../../../../shared/contract/chat-json.ts'
import type { ChatAttachment } from '../../../../shared/model/chat.ts'
import type { FileWriter } from '../../../platform/export-files/file-writer.ts'
import type { ChatHead, ChatExportChunk, ChatWriter } from './chat-export-types.ts'

/** Begins the JSON file of a whole chat as defined by {@link ChatJson}, one line for each message. */
export async function beginJson(
  file: Pick<FileWriter, 'write'>,
  head: ChatHead,
): Promise<ChatWriter> {
  const { title, tags, settings, createdAt, updatedAt, leafId, appVersion, exportedAt } = head
  const first: Omit<ChatJson, 'messages'> = {
    format: 'lectern.chat',
    version: 1,
    app: appVersion,
    exportedAt,
    title,
    tags: [...tags],
    settings,
    createdAt,
    updatedAt,
    leafId,
  }
  let between = '\n'
  await file.write(`${JSON.stringify(first, null, 1).slice(0, -2)},\n "messages": [`)
  return {
    async message(chunk) {
      await file.write(`${between}${JSON.stringify(jsonMessage(chunk))}`)
      between = ',\n'
    },
    end: () => file.write('\n ]\n}\n'),
  }
}

/** Returns a message for the file: nothing that only this library knows, except its ID and its parent's. */
function jsonMessage({ message, hashes }: ChatExportChunk): ChatJsonMessage {
  const { id, parentId, role, state, text, steps, slices, settings, model, engine, notice } =
    message
  const { finishReason, usage, serviceMessageId, requestId, resentTurns, error } = message
  const { createdAt, endedAt, attachments } = message
  return {
    id,
    parentId,
    role,
    state,
    text,
    attachments: attachments.map((one) => jsonAttachment(one, hashes)),
    steps,
    slices,
    settings,
    model,
    engine,
    notice,
    finishReason,
    usage,
    serviceMessageId,
    requestId,
    retold: resentTurns,
    error,
    createdAt,
    endedAt,
  } as ChatJsonMessage
}

function jsonAttachment(
  attachment: ChatAttachment,
  hashes: ChatExportChunk['hashes'],
): ChatJsonMessage['attachments'][number] {
  if (attachment.kind === 'document') {
    const { kind, itemId, title, pages: chosen, sent } = attachment
    const pages = sent ?? chosen
    // The document ID in an imported file may be another document here.
    const sha256 = attachment.imported ? null : (hashes[itemId] ?? null)
    return { kind, itemId, title, pages, sha256 }
  }
  if (attachment.kind === 'meeting') {
    const { kind, itemId, name } = attachment
    return { kind, itemId, name }
  }
  const { mediaId, imported: _, ...rest } = attachment
  return { ...rest, sha256: hashes[mediaId] ?? null }
}
