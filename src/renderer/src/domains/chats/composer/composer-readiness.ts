import { questionChars } from '../../../../../shared/chats/question.ts'
import type { ChatDraft, ChatSettings } from '../../../../../shared/model/chat.ts'
import { attachmentKey, isAccepted } from './attachments.ts'

/** Reason why a question cannot be sent in its current state. */
export type Blocked =
  | { readonly why: 'closed' | 'empty' | 'coming' | 'long' | 'bases' }
  | { readonly why: 'untaken'; readonly keys: readonly string[] }

/** State of the composer. */
interface ComposerState {
  readonly draft: ChatDraft
  /** Null if no chat is open. */
  readonly settings: ChatSettings | null
  /** Number of files being uploaded. */
  readonly under: number
  /** Whether nothing can be written: the data or the chat is read-only. */
  readonly closed: boolean
}

/** Returns why it cannot be sent, the most serious reason first; null if it can. */
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
