import type { ChatAttachment, Conversation } from '../../../../shared/model/chat.ts'
import { AppError } from '../../../errors.ts'
import type { Store } from '../../../library-database/store.ts'

/**
 * Refuses invalid questions: BAD_REQUEST whose `what` names the field, REFUSED in Trash and for attachments that only an
 * imported file names, FILE_MISSING and NOT_FOUND for attachments that no longer exist.
 */
export function checkQuestion(
  store: Pick<Store, 'media' | 'documents' | 'meetings'>,
  conversation: Conversation,
  text: string,
  attachments: readonly ChatAttachment[],
): void {
  const { settings, deletedAt } = conversation
  if (deletedAt !== null)
    throw new AppError('REFUSED', 'The chat is in Trash', { params: { what: 'bin' } })
  if (settings.kind === 'agent' && settings.knowledgeIds.length === 0)
    throw bad('knowledgeIds', 'No knowledge base is selected for the agent')
  if (text.trim() === '' && attachments.length === 0) throw bad('text', 'The question is empty')
  refuseImported(attachments)
  for (const attachment of attachments) {
    if (attachment.kind === 'document') {
      if (!store.documents.head(attachment.itemId))
        throw new AppError('NOT_FOUND', 'Document not found', {
          params: { what: 'document', name: attachment.title },
        })
      continue
    }
    if (attachment.kind === 'meeting') {
      if (!store.meetings.get(attachment.itemId))
        throw new AppError('NOT_FOUND', 'Meeting not found', {
          params: { what: 'meeting', name: attachment.name },
        })
      continue
    }
    if (attachment.kind === 'file' && settings.kind === 'agent')
      throw bad('attachments', 'The agent accepts only images and documents')
    if (!store.media.get(attachment.mediaId))
      throw new AppError('FILE_MISSING', 'The file no longer exists', {
        params: { name: attachment.name },
      })
  }
}

/** Throws REFUSED for attachments that only an imported conversation names: they are never sent. */
export function refuseImported(attachments: readonly ChatAttachment[]): void {
  if (attachments.some(({ imported }) => imported))
    throw new AppError('REFUSED', 'Attachments of an imported chat cannot be sent', {
      params: { what: 'attachments', problem: 'imported' },
    })
}

const bad = (what: string, message: string): AppError =>
  new AppError('BAD_REQUEST', message, { params: { what } })
