import { resentMessage } from '../../../../shared/provider/resent-turns.ts'
import { estimateTokens } from '../../../../shared/text/token-estimate.ts'
import type { ChatStore, Turn } from '../store/chats-types.ts'
import { modelTexts } from './chat-labels.ts'

/** Maximum number of messages inspected, newest first. */
const maxTurns = 200
/** Share of a model's context that earlier turns may fill: the rest is for the question and its documents. */
const share = 0.5

/**
 * Citation marks of an earlier answer: in another answer they would refer to other sources. Bounded: many partial marks
 * would take minutes.
 */
const marks = /<reference\b[^<>]{0,200}>(?:\s{0,4}<\/reference>)?/g

/** Maximum average number of characters per token: longer text need not be counted. */
const maxCharsPerToken = 8

/**
 * Returns the earlier turns to send again before a question, oldest first: as many whole ones as fit into their share of
 * `tokens`, the oldest dropped first. If the last turn alone is too long, its end is sent, since the question continues
 * from there.
 */
export function turnsToResend(
  store: Pick<ChatStore, 'turnsBefore'>,
  questionId: string,
  tokens: number,
): readonly Turn[] {
  let left = Math.floor(tokens * share)
  const retained: Turn[] = []
  // Only the end of a text that is too long to fit is read.
  const turns = store.turnsBefore(questionId, maxTurns, left * maxCharsPerToken + 1)
  for (const { role, text } of turns.toReversed()) {
    const words = role === 'assistant' ? text.replaceAll(marks, '').trim() : text.trim()
    if (words === '') continue
    const fits = words.length <= left * maxCharsPerToken && estimateTokens(words).likely <= left
    if (!fits && retained.length === 0)
      return [{ role, text: `…${words.slice(-left).toWellFormed()}` }]
    if (!fits) break
    left -= estimateTokens(words).likely
    retained.push({ role, text: words })
  }
  return retained.toReversed()
}

/** Returns a message with the turns before it, or the message alone if there are none. `key` is an unguessable delimiter. */
export const withTurns = (turns: readonly Turn[], message: string, key: string): string =>
  turns.length === 0 ? message : resentMessage(turns, message, modelTexts(message).resent, key)
