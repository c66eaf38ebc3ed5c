import type { ChatMessage } from '../../../../shared/model/chat.ts'
import type { AnswerDeps } from './answer.ts'
import type { ChatsDeps } from './chat-service-types.ts'

export interface AnswerRunnerDeps
  extends
    Omit<AnswerDeps, 'closing' | 'givingUp' | 'doubted'>,
    Pick<ChatsDeps, 'hub' | 'after' | 'unreachable' | 'onWaiting'> {}

/** Options for starting an answer. */
export interface Beginning {
  readonly streamId: string
  readonly connectionIds: readonly string[]
  /** The message whose unsent questions follow the new answer; the question itself when absent. */
  readonly followersOf?: string | undefined
  /** Whether the question waits while the network or a key is missing. */
  readonly waits?: boolean
  /** Whether the answer starts without a user action: the branch that is shown then stays. */
  readonly byItself?: boolean
  /** Whether the answer replaces attempts that produced nothing. */
  readonly restart?: boolean
}

/** Conditions under which a question may be sent automatically. */
export interface Leave {
  /** Also when the answer before it did not end well: it had already ended when the question was asked. */
  readonly anyway: boolean
  /** Whether the question waits while the network or a key is missing, as the user chose. */
  readonly waits: boolean
}

/** Runs answers: one at a time in each conversation, several conversations in parallel. */
export interface AnswerRunner {
  /**
   * Adds the row of the answer and runs it; a question created for it is created in the same transaction. Throws the
   * errors of the store, and CANCELLED while closing.
   */
  begin(question: ChatMessage | (() => ChatMessage), beginning: Beginning): ChatMessage
  /** Returns the running answer of a conversation. */
  running(conversationId: string): { readonly answerId: string; readonly questionId: string } | null
  /** Whether an answer runs in this process; one that is only stored as running is left over from an earlier run. */
  isActive(answerId: string): boolean
  /** Allows a question to be sent automatically when its turn is reached. Omitted options keep their earlier values. */
  mayGo(questionId: string, leave?: Partial<Leave>): void
  /** Marks a question as sent by the user: earlier attempts no longer count. */
  byHand(questionId: string): void
  /** Whether Lectern is closing or the conversation is about to be deleted: nothing may start in it. */
  isClosing(conversationId: string): boolean
  /** Sends a waiting question if it can be sent now. Throws the errors of the store. */
  wake(question: ChatMessage): void
  /** Sends the waiting questions of a restored conversation that have not been tried yet. */
  wakeFresh(conversationId: string): void
  /** Reports the status of a conversation to the pages. */
  reportConversation(conversationId: string): void
  /** Reports the number of waiting questions. */
  countWaiting(): void
  /** Stops an answer; resolves when it has ended, within `stopMs` at most. */
  stop(answerId: string): Promise<void>
  /**
   * Stops running answers; gives up an end that the store does not accept within `stopMs`. Nothing is sent automatically
   * there any more.
   */
  forget(conversationIds: readonly string[]): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}
