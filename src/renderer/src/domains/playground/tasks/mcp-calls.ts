import type { TaskToolCall } from '../../../../../shared/model/task.ts'

/** A call to an MCP server (service-notes 9). */
export interface McpCall {
  readonly server: string
  /** Whether it lists the tools of its server instead of running one. */
  readonly lists: boolean
  readonly name: string
  readonly error: string
  readonly tools: readonly {
    readonly name: string
    readonly description: string
    /** A JSON Schema. */
    readonly schema: unknown
  }[]
  /** Undefined if there is none. */
  readonly output: unknown
}

/** Returns the MCP call of a tool call; null for any other type. */
export function mcpOf({ raw }: Pick<TaskToolCall, 'raw'>): McpCall | null {
  const call = record(record(raw)['mcp'])
  if (Object.keys(call).length === 0) return null
  const tools = Array.isArray(call['tools']) ? call['tools'].map(record) : []
  return {
    server: text(call['server_label']),
    lists: call['type'] === 'mcp_list_tools' || (call['type'] === undefined && tools.length > 0),
    name: text(call['name']),
    error: typeof call['error'] === 'object' ? jsonOf(call['error']) : text(call['error']),
    tools: tools.map((tool) => ({
      name: text(tool['name']),
      description: text(tool['description']),
      schema: tool['input_schema'] ?? {},
    })),
    output: call['output'] ?? undefined,
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const jsonOf = (value: unknown): string => (value === null ? '' : JSON.stringify(value))
const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}
