import { questionChars } from '../../../../../shared/chat/question.ts'
import type { ChatDraft, ChatSettings } from '../../../../../shared/model/chat.ts'
import { attachmentKey, isAccepted } from './attachments.ts'

/** Why a question cannot be sent as it stands. */
export type Blocked =
  | { readonly why: 'closed' | 'empty' | 'coming' | 'long' | 'bases' }
  | { readonly why: 'untaken'; readonly keys: readonly string[] }

/** What is read of what stands in the composer. */
export interface ComposerState {
  readonly draft: ChatDraft
  /** Null where no conversation is open. */
  readonly settings: ChatSettings | null
  /** Files that are on their way. */
  readonly under: number
  /** Nothing can be written: the data or the conversation are only to be read. */
  readonly closed: boolean
}

/** Why it cannot be sent, the gravest first; null when it can. */
export function blockedBy({ draft, settings, under, closed }: ComposerState): Blocked | null {
  if (closed) return { why: 'closed' }
  if (settings?.kind === 'agent' && settings.knowledgeIds.length === 0) return { why: 'bases' }
  const who = settings?.kind ?? null
  const untaken = draft.attachments.filter((one) => !isAccepted(one, who))
  if (untaken.length > 0) return { why: 'untaken', keys: untaken.map(attachmentKey) }
  if (draft.text.length > questionChars) return { why: 'long' }
  if (under > 0) return { why: 'coming' }
  const says = draft.text.trim() !== '' || draft.attachments.length > 0
  return says ? null : { why: 'empty' }
}
