import type { IdentifiedCall } from './assistant-tools.ts'
import type { AssistantToolCall } from './assistants.ts'
import { isRecord, parseJson } from './json.ts'

/** The tool calls of an answer as they grow: a stream brings one call in several pieces. */
export interface CallList {
  /** Takes the calls of one chunk, in which no two pieces belong to one call unless they share an id. */
  add(calls: readonly IdentifiedCall[]): void
  readonly calls: readonly AssistantToolCall[]
}

/**
 * Starts an empty list. Pieces belong together by their id; without ids, a piece goes on with the last call of an earlier chunk
 * when it is of the same kind and that call has no outputs yet, since a tool that has answered is not asked any further.
 */
export function createCallList(): CallList {
  const all: IdentifiedCall[] = []
  return {
    add(calls) {
      const before = all.length
      for (const piece of calls) {
        const at = placeOf(piece, all, before)
        const known = at === null ? undefined : all[at]
        if (at === null || !known) all.push(piece)
        else all[at] = { id: known.id ?? piece.id, call: joined(known.call, piece.call) }
      }
    },
    get calls() {
      return all.map(({ call }) => call)
    },
  }
}

function placeOf(
  { id, call }: IdentifiedCall,
  all: readonly IdentifiedCall[],
  before: number,
): number | null {
  if (call.type === 'unknown') return null
  if (id !== null) {
    const same = all.findIndex((one) => one.id === id && one.call.type === call.type)
    if (same >= 0) return same
  }
  const last = all[before - 1]
  if (!last || before !== all.length || last.call.type !== call.type) return null
  const strangers = id !== null && last.id !== null
  return strangers || hasOutputs(last.call) || isAnother(last.call, call) ? null : before - 1
}

function hasOutputs(call: AssistantToolCall): boolean {
  return call.type !== 'unknown' && call.outputs.length > 0
}

/** A function that is named again, after arguments that are whole, is called again. */
function isAnother(known: AssistantToolCall, piece: AssistantToolCall): boolean {
  if (known.type !== 'function' || piece.type !== 'function') return false
  return piece.name !== '' && isRecord(parseJson(known.arguments)) && piece.arguments !== ''
}

function joined(known: AssistantToolCall, piece: AssistantToolCall): AssistantToolCall {
  if (known.type === 'web_browser' && piece.type === 'web_browser')
    return {
      ...known,
      input: grown(known.input, piece.input),
      outputs: [...known.outputs, ...piece.outputs],
    }
  if (known.type === 'code_interpreter' && piece.type === 'code_interpreter')
    return {
      ...known,
      input: grown(known.input, piece.input),
      outputs: [...known.outputs, ...piece.outputs],
    }
  if (known.type === 'drawing_tool' && piece.type === 'drawing_tool')
    return {
      ...known,
      input: grown(known.input, piece.input),
      outputs: [...known.outputs, ...piece.outputs],
    }
  if (known.type === 'retrieval' && piece.type === 'retrieval')
    return { ...known, outputs: [...known.outputs, ...piece.outputs] }
  if (known.type === 'function' && piece.type === 'function')
    return {
      ...known,
      name: known.name || piece.name,
      arguments: grown(known.arguments, piece.arguments),
      outputs: [...known.outputs, ...piece.outputs],
    }
  return known
}

/** A piece goes on where the text stopped, unless it says all of it again. */
function grown(text: string, piece: string): string {
  return text !== '' && piece.length > 1 && piece.startsWith(text) ? piece : text + piece
}
