import type { AssistantTool } from '../../../shared/chat/answer.ts'
import { createCallList } from '../../api/assistant-merge.ts'
import type { AssistantEvent } from '../../api/assistants.ts'
import { charsOf } from '../runs/event-log.ts'

/** An assistant's calls as they grow. */
export interface ToolList {
  /** Takes the pieces of one chunk. */
  add(event: Extract<AssistantEvent, { type: 'tool_calls' }>): void
  /** Tells at once what was not told yet. */
  flush(): void
  /** The same for the last time. */
  end(): void
}

/** Shortest pause between two lists, in milliseconds: a batch of events has one. */
const pauseMs = 40
/** Characters of lists that are told a second: a list is told whole each time, and a long one must not be told for each of its pieces. */
const charsPerMs = 200
/** Characters of all lists that are told while an answer comes. Beyond them the calls are told once more, at its end. */
const maxChars = 16 * 1024 * 1024

/** Joins the pieces of calls and tells the whole list now and then. Ended by the signal. */
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
    // What grows is told as it is now.
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
