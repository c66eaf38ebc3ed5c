import type { ChatMessage } from '../../../shared/model/chat.ts'
import type { AnswerDeps } from './answer.ts'
import type { ChatsDeps } from './types.ts'

/** What the desk is built from. */
export interface AnswerRunnerDeps
  extends
    Omit<AnswerDeps, 'closing' | 'givingUp' | 'doubted'>,
    Pick<
      ChatsDeps,
      'hub' | 'after' | 'unreachable' | 'onConversation' | 'onLibrary' | 'onWaiting'
    > {}

/** How an answer is begun. */
export interface Beginning {
  readonly streamId: string
  readonly connectionIds: readonly string[]
  /** The message whose unsent questions follow the new answer; the question itself when absent. */
  readonly followersOf?: string | undefined
  /** The question waits for the network or a key where there is none. */
  readonly waits?: boolean
  /** Nobody asked for it now: the branch that is shown stays the one. */
  readonly byItself?: boolean
  /** Takes the place of attempts that brought nothing. */
  readonly restart?: boolean
}

/** How a question may be sent by itself. */
export interface Leave {
  /** Though what it follows did not end well: that was over when it was asked. */
  readonly anyway: boolean
  /** It waits for the network or a key where there is none: the reader said so. */
  readonly waits: boolean
}

/** Where answers run: one at a time in each conversation, several conversations at once. */
export interface AnswerRunner {
  /**
   * Adds the answer's row and runs it; a question that is made for it is made in the same transaction. Throws what the store throws,
   * CANCELLED where it closes.
   */
  begin(question: ChatMessage | (() => ChatMessage), beginning: Beginning): ChatMessage
  /** The answer that runs in a conversation. */
  running(conversationId: string): { readonly answerId: string; readonly questionId: string } | null
  /** Whether an answer runs here; one that only its row says runs is left from before. */
  isActive(answerId: string): boolean
  /** This question may be sent by itself when its turn comes. What is not said stays as it was said before. */
  mayGo(questionId: string, leave?: Partial<Leave>): void
  /** The reader sends this question: what was tried before counts no more. */
  byHand(questionId: string): void
  /** Lectern closes, or this conversation is about to go: nothing is begun in it. */
  isClosing(conversationId: string): boolean
  /** Sends a question that waits, if it can go now. Throws what the store throws. */
  wake(question: ChatMessage): void
  /** Sends what waits in a conversation that is back, if it was not tried yet. */
  wakeFresh(conversationId: string): void
  /** Tells pages how a conversation stands. */
  reportConversation(conversationId: string): void
  /** Tells how many questions wait. */
  countWaiting(): void
  /** Resolves when it is over, which takes `stopMs` at most; for a shorter wait nobody is asked. */
  stop(answerId: string): Promise<void>
  /** Ends what runs there; an end that the store does not take within `stopMs` is given up. Nothing there goes by itself any more. */
  forget(conversationIds: readonly string[]): Promise<void>
  busy(): boolean
  shutdown(): Promise<void>
}
