import type { AnswerStep, AssistantTool } from './answer-step.ts'
import type { BoundedText } from './bounded-text.ts'

/**
 * Maximum length of an answer's text and steps in a message, in UTF-16 units: a message that crosses the bridge, or a row that
 * is written in one step, takes a few milliseconds. The rest is stored in parts, which are read one at a time.
 */
export const shownUnits = { text: 512 * 1024, steps: 512 * 1024 } as const

/** Of an answer that is longer than a message: length of its text in UTF-16 units, and whether its steps are shortened. */
export interface Shortened {
  readonly text: number
  readonly steps: boolean
}

/**
 * Part of an answer that is longer than its message: of the text after the beginning in the message, or of the JSON of all
 * steps. `start` is its position in the whole, in UTF-16 units.
 */
export interface AnswerPart {
  readonly kind: 'text' | 'steps'
  readonly start: number
  readonly text: string
}

/** Minimum length of a part in UTF-16 units; most parts are about twice as long. */
export const partUnits = 128 * 1024

/** Returns the beginning of a text, up to `units` UTF-16 units, without splitting a surrogate pair. */
export function beginningOf(text: string, units: number): string {
  if (text.length <= units) return text
  const last = text.charCodeAt(units - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units)
}

/** Creates a growing text that retains only its beginning; its length is that of the whole text. */
export function shownText(begin: string, length = begin.length): BoundedText {
  let text = begin
  return {
    get length() {
      return length
    },
    get text() {
      return text
    },
    add(more) {
      if (length === text.length) text += beginningOf(more, Math.max(0, shownUnits.text - length))
      length += more.length
    },
    put(other) {
      text = beginningOf(other, shownUnits.text)
      length = other.length
    },
  }
}

/** Remaining length of the steps of one answer; shortens values that exceed it. */
export interface StepBudget {
  /** Whether a value was shortened. */
  readonly isExceeded: boolean
  text(added: string): string
  value<T>(value: T): T
  /** Returns the additions to the texts and lists of a call; a text is cut where the budget ends. */
  additions(call: AssistantTool): AssistantTool
}

/** Budget without a limit. */
export const unlimitedBudget: StepBudget = {
  isExceeded: false,
  text: (added) => added,
  value: (value) => value,
  additions: (call) => call,
}

/** Minimum length of each name and value, and minimum number of entries, even when the budget is used up. */
const minimum = { units: 100, entries: 12 } as const

/**
 * Creates the budget for the steps of a message: values are complete while they fit, then shortened. `finishCut` corrects the
 * end of a text that was cut.
 */
export function createStepBudget(
  units: number = shownUnits.steps,
  finishCut: (cut: string) => string = (cut) => cut,
): StepBudget {
  let left = units
  let isExceeded = false
  const text = (added: string, atLeast = 0): string => {
    const cut = beginningOf(added, Math.max(left, atLeast))
    left = Math.max(0, left - added.length)
    if (cut.length === added.length) return added
    isExceeded = true
    return finishCut(cut)
  }
  const value = (input: unknown): unknown => {
    if (typeof input === 'string') return text(input, minimum.units)
    if (typeof input !== 'object' || input === null) {
      left = Math.max(0, left - 8)
      return input
    }
    const isFull = (count: number): boolean => left === 0 && count >= minimum.entries
    if (Array.isArray(input)) {
      const list: unknown[] = []
      for (const each of input) {
        if (isFull(list.length)) break
        list.push(value(each))
      }
      isExceeded ||= list.length < input.length
      return list
    }
    const entries: (readonly [string, unknown])[] = []
    for (const [name, each] of Object.entries(input)) {
      if (isFull(entries.length)) {
        isExceeded = true
        break
      }
      entries.push([text(name, minimum.units), value(each)])
    }
    return Object.fromEntries(entries)
  }
  return {
    get isExceeded() {
      return isExceeded
    },
    text,
    value: <T>(input: T) => value(input) as T,
    additions: ({ type, ...added }) => ({
      ...Object.fromEntries(
        Object.entries(added).map(([name, each]) => [
          name,
          typeof each === 'string' ? text(each) : value(each),
        ]),
      ),
      type,
    }),
  }
}

/** Returns the steps as a message contains them. */
export const shownSteps = (
  steps: readonly AnswerStep[],
  budget: StepBudget,
): readonly AnswerStep[] => steps.map((step) => budget.value(step))

/** Appends the additions to a call: texts are joined, outputs are appended to the earlier ones. */
export function appendToCall(call: AssistantTool, added: AssistantTool): AssistantTool {
  const grown: Record<string, unknown> = { ...call }
  for (const [name, value] of Object.entries(added)) {
    const before = call[name]
    if (name === 'type' || value === undefined) continue
    if (typeof value === 'string' && typeof before === 'string') grown[name] = before + value
    else if (Array.isArray(value) && Array.isArray(before))
      grown[name] = [...(before as unknown[]), ...(value as unknown[])]
    else grown[name] = value
  }
  return { ...grown, type: call.type }
}
