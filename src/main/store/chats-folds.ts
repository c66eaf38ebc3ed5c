import { emptyAnswer, foldAnswer } from '../../shared/chat/answer.ts'
import type { AnswerEvent, AnswerSoFar } from '../../shared/chat/answer.ts'
import type { Connection } from './connection.ts'

interface Fold {
  readonly next: number
  readonly answer: AnswerSoFar
}

/** What has come of running answers: folded as it comes, so that looking at a long one costs nothing; read from the rows once after a start. */
export interface AnswerFolds {
  /** The answer with the first `events` of its events. */
  upTo(messageSeq: number, events: number): AnswerSoFar
  /** Events that were stored; `first` is the place of the first one. */
  add(messageSeq: number, first: number, events: readonly AnswerEvent[]): AnswerSoFar
  forget(messageSeq: number): void
}

/** Folds of the answers that run. */
export function answerFolds(connection: Connection): AnswerFolds {
  const folds = new Map<number, Fold>()

  function read(messageSeq: number, from: Fold, events: number): Fold {
    const rows = connection.all<{ first_seq: number; events: string }>(
      'SELECT first_seq, events FROM message_events WHERE message_seq = ? AND first_seq >= ? AND first_seq < ? ORDER BY first_seq',
      messageSeq,
      from.next,
      events,
    )
    const answer = rows.reduce(
      (sum, row) => (JSON.parse(row.events) as readonly AnswerEvent[]).reduce(foldAnswer, sum),
      from.answer,
    )
    return { next: events, answer }
  }

  function upTo(messageSeq: number, events: number): AnswerSoFar {
    const known = folds.get(messageSeq)
    if (known?.next === events) return known.answer
    // A fold that is further than the rows saw events of a transaction that was taken back.
    const from = known && known.next < events ? known : { next: 0, answer: emptyAnswer }
    const made = read(messageSeq, from, events)
    folds.set(messageSeq, made)
    return made.answer
  }

  return {
    upTo,
    add(messageSeq, first, events) {
      const answer = events.reduce(foldAnswer, upTo(messageSeq, first))
      folds.set(messageSeq, { next: first + events.length, answer })
      return answer
    },
    forget: (messageSeq) => void folds.delete(messageSeq),
  }
}
