import { engineNames } from '../../shared/provider/engine-names.ts'
import { endEvent, jsonEvent } from '../http.ts'
import type { SkillAnswer } from './skill.ts'

/** Common fields of every chunk (service-notes 8). */
export interface ChunkHead {
  readonly id: string
  readonly conversation_id: string
  readonly assistant_id: string
  /** Unix seconds. */
  readonly created: number
  readonly model: string
  readonly request_id: string
}

/** Characters of one text chunk. */
const chunkChars = 24

const chunksOf = (text: string): readonly string[] =>
  text.match(new RegExp(`[^]{1,${chunkChars}}`, 'gu')) ?? []

/** Yields the chunks of an answer: its tool calls, its text in chunks, a last one with usage, then `[DONE]`. */
export function* answerChunks(
  head: ChunkHead,
  answer: SkillAnswer,
  usage: object,
): Generator<string> {
  const chunk = (delta: object): string =>
    jsonEvent({
      ...head,
      status: 'in_progress',
      choices: [{ index: 0, delta, finish_reason: null, metadata: {} }],
    })
  for (const call of answer.toolCalls)
    yield chunk({ type: 'tool_calls', role: 'tool', tool_calls: [call] })
  for (const content of chunksOf(answer.text))
    yield chunk({ type: 'content', role: 'assistant', content })
  yield jsonEvent({
    ...head,
    status: 'completed',
    choices: [
      {
        index: 0,
        delta: { type: 'content', role: 'assistant', content: '' },
        finish_reason: 'stop',
        metadata: {},
      },
    ],
    usage,
    engine: answer.engine,
    ...(answer.notice !== undefined && { notice: answer.notice }),
  })
  yield endEvent
}

/** The last chunk of an answer that failed after its stream started; no `[DONE]` follows (service-notes 1). */
export const failedChunk = (head: ChunkHead, error: { code: string; message: string }): string =>
  jsonEvent({
    ...head,
    status: 'failed',
    last_error: error,
    choices: [{ index: 0, delta: {}, finish_reason: 'network_error', metadata: {} }],
    engine: engineNames.assistants,
    notice: error.message,
  })
