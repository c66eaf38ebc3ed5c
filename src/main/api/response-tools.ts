import { isRecord } from './json.ts'
import { recordsFrom, textIn } from './lenient.ts'
import type { JsonRecord } from './lenient.ts'
import type { FunctionTool, ResponseTool } from './responses.ts'

/** Reads one of the four tool types (service-notes 13); other types keep their raw form. */
export function readTool(tool: JsonRecord): ResponseTool {
  switch (tool['type']) {
    case 'function':
      return readFunction(tool)
    case 'namespace':
      return {
        type: 'namespace',
        ...named(tool),
        tools: recordsFrom(tool['tools']).map(readFunction),
      }
    case 'custom':
      return { type: 'custom', ...named(tool) }
    case 'web_search':
      return { type: 'web_search' }
    default:
      return { type: 'unknown', raw: tool }
  }
}

/** Reads a function whose fields are next to its type, or inside `function` as in chat completions. */
function readFunction(tool: JsonRecord): FunctionTool {
  const inner = tool['function']
  const holder = isRecord(inner) ? inner : tool
  return { type: 'function', ...named(holder), parameters: holder['parameters'] ?? null }
}

function named(tool: JsonRecord): { readonly name: string; readonly description: string } {
  return { name: textIn(tool, 'name') ?? '', description: textIn(tool, 'description') ?? '' }
}
