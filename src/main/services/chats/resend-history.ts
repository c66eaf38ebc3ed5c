import { retoldMessage } from '../../../shared/service/resent-turns.ts'
import { estimateTokens } from '../../../shared/text/token-estimate.ts'
import type { ChatStore, Turn } from '../../store/chats-types.ts'
import { modelTexts } from './chat-labels.ts'

/** Messages that are looked at, from the newest back. */
const maxTurns = 200
/** Part of what a model takes that earlier turns may fill: the rest is for the question and its documents. */
const share = 0.5

/** Marks that named sources of an earlier answer: in another answer they would name others. Bounded: a text of beginnings of marks would take minutes. */
const marks = /<reference\b[^<>]{0,200}>(?:\s{0,4}<\/reference>)?/g

/** No text has more characters to a token on average: what is longer need not be counted. */
const maxCharsPerToken = 8

/**
 * The earlier turns that are told again before a question, oldest first: as many whole ones as fit into their share of `tokens`, the
 * oldest dropped first. Of a last turn that is too long by itself, its end is told: that is what one goes on from.
 */
export function turnsToRetell(
  store: Pick<ChatStore, 'turnsBefore'>,
  questionId: string,
  tokens: number,
): readonly Turn[] {
  let left = Math.floor(tokens * share)
  const kept: Turn[] = []
  // A text that is longer than any that fits is told by its end.
  const turns = store.turnsBefore(questionId, maxTurns, left * maxCharsPerToken + 1)
  for (const { role, text } of turns.toReversed()) {
    const words = role === 'assistant' ? text.replaceAll(marks, '').trim() : text.trim()
    if (words === '') continue
    const fits = words.length <= left * maxCharsPerToken && estimateTokens(words).likely <= left
    if (!fits && kept.length === 0) return [{ role, text: `…${words.slice(-left).toWellFormed()}` }]
    if (!fits) break
    left -= estimateTokens(words).likely
    kept.push({ role, text: words })
  }
  return kept.toReversed()
}

/** A message with the turns before it; the message alone where there are none. `key` is one that nobody could have written. */
export const withTurns = (turns: readonly Turn[], message: string, key: string): string =>
  turns.length === 0 ? message : retoldMessage(turns, message, modelTexts(message).retold, key)
