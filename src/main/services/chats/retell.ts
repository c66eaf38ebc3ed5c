import { retoldMessage } from '../../../shared/service/retold-turns.ts'
import { estimateTokens } from '../../../shared/text/token-estimate.ts'
import type { ChatStore, Turn } from '../../store/chats-types.ts'
import { modelWords } from './words.ts'

/** Messages that are looked at, from the newest back. */
const mostTurns = 200
/** Part of what a model takes that earlier turns may fill: the rest is for the question and its documents. */
const share = 0.5

/** Marks that named sources of an earlier answer: in another answer they would name others. */
const marks = /<reference\b[^>]*>(?:\s*<\/reference>)?/g

/**
 * The earlier turns that are told again before a question, oldest first: as many whole ones as fit into their share of `tokens`, the
 * oldest dropped first.
 */
export function turnsToRetell(
  store: Pick<ChatStore, 'turnsBefore'>,
  questionId: string,
  tokens: number,
): readonly Turn[] {
  let left = tokens * share
  const kept: Turn[] = []
  for (const { role, text } of store.turnsBefore(questionId, mostTurns).toReversed()) {
    const words = role === 'assistant' ? text.replaceAll(marks, '').trim() : text.trim()
    if (words === '') continue
    left -= estimateTokens(words).likely
    if (left < 0) break
    kept.push({ role, text: words })
  }
  return kept.toReversed()
}

/** A message with the turns before it; the message alone where there are none. `key` is one that nobody could have written. */
export const withTurns = (turns: readonly Turn[], message: string, key: string): string =>
  turns.length === 0 ? message : retoldMessage(turns, message, modelWords(message).retold, key)
