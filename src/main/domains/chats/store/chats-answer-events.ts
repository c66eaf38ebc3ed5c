import { shownFold } from '../../../../shared/chats/answer.ts'
import type { AnswerEvent, AnswerFold, AnswerSoFar } from '../../../../shared/chats/answer.ts'
import type { Connection } from '../../../platform/database/connection.ts'

interface Fold {
  readonly next: number
  readonly fold: AnswerFold
}

/**
 * Accumulated state of running answers, as far as messages contain it: updated incrementally, so that viewing a long one costs
 * nothing; read from the rows once after a start.
 */
export interface AnswerFolds {
  /** Returns the answer after its first `events` events. */
  upTo(messageSeq: number, events: number): AnswerSoFar
  /** Adds stored events; `first` is the index of the first one. */
  add(messageSeq: number, first: number, events: readonly AnswerEvent[]): AnswerSoFar
  forget(messageSeq: number): void
}

/** Creates the accumulated states of running answers. */
export function answerFolds(connection: Connection): AnswerFolds {
  const folds = new Map<number, Fold>()

  function read(messageSeq: number, from: Fold, events: number): Fold {
    const rows = connection.all<{ first_seq: number; events: string }>(
      'SELECT first_seq, events FROM message_events WHERE message_seq = ? AND first_seq >= ? AND first_seq < ? ORDER BY first_seq',
      messageSeq,
      from.next,
      events,
    )
    for (const row of rows)
      for (const event of JSON.parse(row.events) as readonly AnswerEvent[]) from.fold.take(event)
    return { next: events, fold: from.fold }
  }

  function foldTo(messageSeq: number, events: number): AnswerFold {
    const known = folds.get(messageSeq)
    if (known?.next === events) return known.fold
    // A state with more events than the rows includes events of a transaction that was rolled back.
    const from = known && known.next < events ? known : { next: 0, fold: shownFold() }
    // If it throws, it is read again from the beginning.
    folds.delete(messageSeq)
    const made = read(messageSeq, from, events)
    folds.set(messageSeq, made)
    return made.fold
  }

  return {
    upTo: (messageSeq, events) => foldTo(messageSeq, events).answer,
    add(messageSeq, first, events) {
      const fold = foldTo(messageSeq, first)
      folds.delete(messageSeq)
      for (const event of events) fold.take(event)
      folds.set(messageSeq, { next: first + events.length, fold })
      return fold.answer
    },
    forget: (messageSeq) => void folds.delete(messageSeq),
  }
}
