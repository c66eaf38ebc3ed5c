import type { IdentifiedCall } from './assistant-tools.ts'
import type { AssistantToolCall } from './assistants.ts'
import { createObjectText } from './object-text.ts'
import type { ObjectText } from './object-text.ts'

/** Tool calls of an answer while they grow: a stream sends one call in several fragments. */
export interface CallList {
  /** Adds the calls of one chunk. Two fragments in a chunk belong to the same call only if they share an ID. */
  add(calls: readonly IdentifiedCall[]): void
  readonly calls: readonly AssistantToolCall[]
}

/** A call that grows in place: each fragment costs only its own length, regardless of the text so far. */
type Growing = AssistantToolCall extends infer Call
  ? Call extends AssistantToolCall
    ? { -readonly [Name in keyof Call]: Call[Name] extends readonly (infer O)[] ? O[] : Call[Name] }
    : never
  : never

interface Entry {
  id: string | null
  readonly call: Growing
  /** Detects whether a function's arguments are complete. */
  readonly whole: ObjectText
}

/**
 * Creates an empty list. Fragments are matched by their ID. Without IDs, a fragment continues the last call of an earlier
 * chunk when it is of the same type and that call has no outputs yet, since a tool that has responded receives no further
 * input.
 */
export function createCallList(): CallList {
  const all: Entry[] = []
  const byId = new Map<string, Entry>()

  const know = (entry: Entry): void => {
    const key = keyOf(entry)
    if (key !== null && !byId.has(key)) byId.set(key, entry)
  }
  const placeOf = (fragment: IdentifiedCall, before: number): Entry | null => {
    if (fragment.call.type === 'unknown') return null
    const key = keyOf(fragment)
    const same = key === null ? undefined : byId.get(key)
    if (same) return same
    const last = all[before - 1]
    if (!last || before !== all.length || last.call.type !== fragment.call.type) return null
    const strangers = key !== null && last.id !== null
    return strangers || hasOutputs(last.call) || isAnother(last, fragment.call) ? null : last
  }

  return {
    add(calls) {
      const before = all.length
      for (const fragment of calls) {
        const known = placeOf(fragment, before)
        const entry = known ?? begun(fragment)
        if (known) {
          known.id ??= fragment.id
          grow(known, fragment.call)
        } else all.push(entry)
        know(entry)
      }
    },
    get calls() {
      return all.map(({ call }) => call)
    },
  }
}

const keyOf = ({ id, call }: { readonly id: string | null; readonly call: { type: string } }) =>
  id === null ? null : `${call.type} ${id}`

/** The fragment has been emitted: the part that grows is a copy. */
function begun({ id, call }: IdentifiedCall): Entry {
  const whole = createObjectText()
  if (call.type === 'function') whole.add(call.arguments)
  return { id, call: copyOf(call), whole }
}

function copyOf(call: AssistantToolCall): Growing {
  switch (call.type) {
    case 'web_browser':
      return { ...call, outputs: [...call.outputs] }
    case 'code_interpreter':
      return { ...call, outputs: [...call.outputs] }
    case 'drawing_tool':
      return { ...call, outputs: [...call.outputs] }
    case 'retrieval':
      return { ...call, outputs: [...call.outputs] }
    case 'function':
      return { ...call, outputs: [...call.outputs] }
    case 'unknown':
      return { ...call }
  }
}

function hasOutputs(call: AssistantToolCall): boolean {
  return call.type !== 'unknown' && call.outputs.length > 0
}

/** Returns whether a fragment starts another call: a function that is named again after complete arguments. */
function isAnother({ call, whole }: Entry, fragment: AssistantToolCall): boolean {
  if (call.type !== 'function' || fragment.type !== 'function') return false
  return fragment.name !== '' && fragment.arguments !== '' && whole.isWhole(call.arguments)
}

function grow({ call, whole }: Entry, fragment: AssistantToolCall): void {
  if (call.type === 'web_browser' && fragment.type === 'web_browser') {
    call.input = grown(call.input, fragment.input)
    append(call.outputs, fragment.outputs)
  } else if (call.type === 'code_interpreter' && fragment.type === 'code_interpreter') {
    call.input = grown(call.input, fragment.input)
    append(call.outputs, fragment.outputs)
  } else if (call.type === 'drawing_tool' && fragment.type === 'drawing_tool') {
    call.input = grown(call.input, fragment.input)
    append(call.outputs, fragment.outputs)
  } else if (call.type === 'retrieval' && fragment.type === 'retrieval')
    append(call.outputs, fragment.outputs)
  else if (call.type === 'function' && fragment.type === 'function') {
    call.name ||= fragment.name
    const again = repeats(call.arguments, fragment.arguments)
    if (again) whole.restart()
    whole.add(fragment.arguments)
    call.arguments = again ? fragment.arguments : call.arguments + fragment.arguments
    append(call.outputs, fragment.outputs)
  }
}

/** Appends one by one: spreading some hundred thousand arguments would exhaust the stack. */
function append<T>(list: T[], more: readonly T[]): void {
  for (const one of more) list.push(one)
}

/** Appends a fragment to the text, unless it repeats the whole text. */
function grown(text: string, fragment: string): string {
  return repeats(text, fragment) ? fragment : text + fragment
}

/**
 * Returns whether a fragment repeats the text. Lengths are compared first: fragmented text is joined only for a fragment of
 * the same length.
 */
function repeats(text: string, fragment: string): boolean {
  if (text === '' || fragment.length <= 1 || fragment.length < text.length) return false
  return fragment.startsWith(text)
}
