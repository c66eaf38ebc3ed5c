import type { AnswerStep } from '../../../../shared/chats/answer-step.ts'
import type { ChatAttachment } from '../../../../shared/model/chat.ts'
import type { Connection } from '../../../platform/database/connection.ts'

/** Returns the media of attachments. */
export const mediaOf = (attachments: readonly ChatAttachment[]): readonly string[] =>
  attachments.flatMap((each) => ('mediaId' in each ? [each.mediaId] : []))

/** Returns the media created by an assistant's tools. */
export const drawingsOf = (steps: readonly AnswerStep[]): readonly string[] =>
  steps.flatMap((step) => {
    const outputs: unknown = step.kind === 'tool' ? step.call['outputs'] : null
    if (!Array.isArray(outputs)) return []
    return outputs.flatMap((output: unknown) =>
      typeof output === 'object' &&
      output !== null &&
      'mediaId' in output &&
      typeof output.mediaId === 'string'
        ? [output.mediaId]
        : [],
    )
  })

/** Links known media to a message, so that they exist as long as it does. */
export function saveMedia(connection: Connection, seq: number, mediaIds: readonly string[]): void {
  for (const mediaId of mediaIds)
    connection.run(
      'INSERT OR IGNORE INTO message_media(message_seq, media_id) SELECT ?, id FROM media WHERE id = ?',
      seq,
      mediaId,
    )
}
