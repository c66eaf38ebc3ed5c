/** Event the agent emits while it works (service-notes 6). */
export type AgentStep =
  | { readonly type: 'thought'; readonly text: string }
  | {
      readonly type: 'tool_call'
      readonly callId: string
      readonly toolName: string
      readonly arguments: object
    }
  | {
      readonly type: 'tool_result'
      readonly callId: string
      readonly toolName: string
      readonly result: unknown
      readonly status: 'success' | 'error'
      readonly durationMs: number
    }

/** Result of a tool call, with the call ID. */
export interface ToolOutcome<T> {
  readonly callId: string
  readonly value: T
}

/**
 * Calls a tool and emits steps before and after; if the tool fails, an `error` step is emitted before the error is
 * rethrown.
 */
export async function* callTool<T>(
  { ids, clock }: { readonly ids: () => string; readonly clock: () => number },
  toolName: string,
  given: object,
  run: () => Promise<T>,
): AsyncGenerator<AgentStep, ToolOutcome<T>> {
  const callId = `call-${ids()}`
  yield { type: 'tool_call', callId, toolName, arguments: given }
  const start = clock()
  const ended = { type: 'tool_result', callId, toolName } as const
  try {
    const value = await run()
    yield { ...ended, result: value, status: 'success', durationMs: clock() - start }
    return { callId, value }
  } catch (error) {
    const result = { message: 'The tool failed' }
    yield { ...ended, result, status: 'error', durationMs: clock() - start }
    throw error
  }
}
