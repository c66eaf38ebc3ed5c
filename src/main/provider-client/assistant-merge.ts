import type { IdentifiedCall, AssistantToolCall } from './assistant-tools.ts'
import { createObjectText, type ObjectText } from './object-text.ts'

/** Tool calls of an answer while they grow: a stream sends one call in several fragments. */
interface CallList {
  /** Adds the calls of one chunk. Two fragments in a chunk belong to the same call only if they share an ID. */
  add(calls: readonly IdentifiedCall[]): void
  readonly calls: readonly AssistantToolCall[]
  /**
   * Returns the changes since the previous request, by the position of the call: a new call, or the additions to the texts and
   * outputs of a known one.
   */
  takeChanges(): readonly CallChange[]
}

/** A new call, or the additions to a known one. */
interface CallChange {
  readonly place: number
  readonly call: AssistantToolCall
}

/** A call that grows in place: each fragment costs only its own length, regardless of the text so far. */
type Growing = AssistantToolCall extends infer Call
  ? Call extends AssistantToolCall
    ? { -readonly [Name in keyof Call]: Call[Name] extends readonly (infer O)[] ? O[] : Call[Name] }
    : never
  : never

interface Entry {
  id: string | null
  readonly place: number
  readonly call: Growing
  /** Additions that have not been requested yet. */
  pending: Growing | null
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
  const changed = new Set<Entry>()

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
        const entry = known ?? begun(fragment, all.length)
        if (known) {
          known.id ??= fragment.id
          grow(known, fragment.call)
        } else all.push(entry)
        changed.add(entry)
        know(entry)
      }
    },
    get calls() {
      return all.map(({ call }) => call)
    },
    takeChanges() {
      const changes = Array.from(changed, ({ place, call, pending }) => ({
        place,
        call: pending ?? call,
      }))
      for (const entry of changed) entry.pending = null
      changed.clear()
      return changes
    },
  }
}

const keyOf = ({ id, call }: { readonly id: string | null; readonly call: { type: string } }) =>
  id === null ? null : `${call.type} ${id}`

/** The fragment has been emitted: the part that grows is a copy. */
function begun({ id, call }: IdentifiedCall, place: number): Entry {
  const whole = createObjectText()
  if (call.type === 'function') whole.add(call.arguments)
  return { id, place, call: copyOf(call), pending: copyOf(call), whole }
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

/** Adds a fragment to a call. Of a fragment that repeats the whole text, only the additional text counts. */
function grow(entry: Entry, fragment: AssistantToolCall): void {
  const { call, whole } = entry
  const added = copyOf(fragment)
  if ('input' in call && 'input' in added) added.input = addedText(call.input, added.input)
  if (call.type === 'function' && added.type === 'function') {
    const text = added.arguments
    added.arguments = addedText(call.arguments, text)
    if (added.arguments.length < text.length) whole.restart()
    whole.add(text)
    if (call.name !== '') added.name = ''
  }
  append(call, added)
  if (entry.pending) append(entry.pending, added)
  else entry.pending = added
}

function append(call: Growing, added: Growing): void {
  if ('input' in call && 'input' in added) call.input += added.input
  if (call.type === 'function' && added.type === 'function') {
    call.name += added.name
    call.arguments += added.arguments
  }
  // Appended one by one: spreading some hundred thousand arguments would exhaust the stack.
  if ('outputs' in call && 'outputs' in added)
    for (const output of added.outputs) (call.outputs as unknown[]).push(output)
}

/**
 * Returns the text that a fragment adds. Lengths are compared first: fragmented text is joined only for a fragment of at least
 * the same length.
 */
function addedText(text: string, fragment: string): string {
  const repeats = text !== '' && fragment.length > 1 && fragment.length >= text.length
  return repeats && fragment.startsWith(text) ? fragment.slice(text.length) : fragment
}
