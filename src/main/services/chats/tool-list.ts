import type { AssistantTool } from '../../../shared/chat/answer.ts'
import { createCallList } from '../../api/assistant-merge.ts'
import type { AssistantEvent } from '../../api/assistants.ts'
import { charsOf } from '../runs/event-log.ts'

/** Accumulates an assistant's calls as they grow. */
export interface ToolList {
  /** Adds the fragments of one chunk. */
  add(event: Extract<AssistantEvent, { type: 'tool_calls' }>): void
  /** Emits pending changes at once. */
  flush(): void
  /** Emits pending changes for the last time. */
  end(): void
}

/** Minimum delay between two lists, in milliseconds: a batch of events has one. */
const pauseMs = 40
/**
 * Characters of lists emitted per millisecond: each list is emitted whole, and a long one must not be emitted for every
 * fragment.
 */
const charsPerMs = 200
/** Maximum characters of all lists emitted while an answer streams. Beyond it, the calls are emitted once more at its end. */
const maxChars = 16 * 1024 * 1024

/** Joins the fragments of calls and emits the whole list at intervals. Ended by the signal. */
export function createToolList(
  report: (calls: readonly AssistantTool[]) => void,
  now: () => number,
  signal: AbortSignal,
): ToolList {
  const list = createCallList()
  let timer: NodeJS.Timeout | null = null
  let isNew = false
  let next = 0
  let chars = 0

  const reportNow = (atEnd: boolean): void => {
    if (timer) clearTimeout(timer)
    timer = null
    if (!isNew || signal.aborted || (chars > maxChars && !atEnd)) return
    isNew = false
    // Growing calls are emitted in their current state.
    const calls = list.calls.map((call): AssistantTool => ({
      ...call,
      ...('outputs' in call && { outputs: [...call.outputs] }),
    }))
    const length = charsOf(calls)
    chars += length
    next = now() + Math.max(pauseMs, length / charsPerMs)
    report(calls)
  }

  const flush = (): void => reportNow(false)

  return {
    add({ calls, ids }) {
      list.add(calls.map((call, at) => ({ id: ids?.[at] ?? null, call })))
      isNew = true
      const wait = next - now()
      if (wait <= 0) flush()
      else timer ??= setTimeout(flush, wait)
    },
    flush,
    end: () => reportNow(true),
  }
}
