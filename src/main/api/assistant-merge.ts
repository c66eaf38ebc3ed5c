import type { IdentifiedCall } from './assistant-tools.ts'
import type { AssistantToolCall } from './assistants.ts'
import { createObjectText } from './object-text.ts'
import type { ObjectText } from './object-text.ts'

/** The tool calls of an answer as they grow: a stream brings one call in several fragments. */
export interface CallList {
  /** Takes the calls of one chunk, in which no two fragments belong to one call unless they share an id. */
  add(calls: readonly IdentifiedCall[]): void
  readonly calls: readonly AssistantToolCall[]
  /** What came of each call since this was asked last, by its place: a call that is new, else what its texts and outputs grew by. */
  news(): readonly CallNews[]
}

/** What is new of a call. */
export interface CallNews {
  readonly place: number
  readonly call: AssistantToolCall
}

/** A call that grows in place: each fragment costs its own length, however much there is already. */
type Growing = AssistantToolCall extends infer Call
  ? Call extends AssistantToolCall
    ? { -readonly [Name in keyof Call]: Call[Name] extends readonly (infer O)[] ? O[] : Call[Name] }
    : never
  : never

interface Entry {
  id: string | null
  readonly place: number
  readonly call: Growing
  /** What came since it was asked for. */
  fresh: Growing | null
  /** Whether a function's arguments are whole. */
  readonly whole: ObjectText
}

/**
 * Starts an empty list. Pieces belong together by their id; without ids, a fragment goes on with the last call of an earlier chunk
 * when it is of the same kind and that call has no outputs yet, since a tool that has answered is not asked any further.
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
    news() {
      const news = Array.from(changed, ({ place, call, fresh }) => ({ place, call: fresh ?? call }))
      for (const entry of changed) entry.fresh = null
      changed.clear()
      return news
    },
  }
}

const keyOf = ({ id, call }: { readonly id: string | null; readonly call: { type: string } }) =>
  id === null ? null : `${call.type} ${id}`

/** The fragment was told to others: what grows is a copy. */
function begun({ id, call }: IdentifiedCall, place: number): Entry {
  const whole = createObjectText()
  if (call.type === 'function') whole.add(call.arguments)
  return { id, place, call: copyOf(call), fresh: copyOf(call), whole }
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

/** A function that is named again, after arguments that are whole, is called again. */
function isAnother({ call, whole }: Entry, fragment: AssistantToolCall): boolean {
  if (call.type !== 'function' || fragment.type !== 'function') return false
  return fragment.name !== '' && fragment.arguments !== '' && whole.isWhole(call.arguments)
}

/** Takes a fragment of a call. One that says all of a text again counts as what it says more. */
function grow(entry: Entry, fragment: AssistantToolCall): void {
  const { call, whole } = entry
  const more = copyOf(fragment)
  if ('input' in call && 'input' in more) more.input = beyond(call.input, more.input)
  if (call.type === 'function' && more.type === 'function') {
    const text = more.arguments
    more.arguments = beyond(call.arguments, text)
    if (more.arguments.length < text.length) whole.restart()
    whole.add(text)
    if (call.name !== '') more.name = ''
  }
  append(call, more)
  if (entry.fresh) append(entry.fresh, more)
  else entry.fresh = more
}

function append(call: Growing, more: Growing): void {
  if ('input' in call && 'input' in more) call.input += more.input
  if (call.type === 'function' && more.type === 'function') {
    call.name += more.name
    call.arguments += more.arguments
  }
  // One by one: a spread of some hundred thousand arguments would exhaust the stack.
  if ('outputs' in call && 'outputs' in more)
    for (const output of more.outputs) (call.outputs as unknown[]).push(output)
}

/** What a fragment adds to a text. The lengths are compared first: a text in fragments is joined only for a fragment that is as long. */
function beyond(text: string, fragment: string): string {
  const repeats = text !== '' && fragment.length > 1 && fragment.length >= text.length
  return repeats && fragment.startsWith(text) ? fragment.slice(text.length) : fragment
}
