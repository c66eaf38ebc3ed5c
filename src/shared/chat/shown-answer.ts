import type { AnswerStep, AssistantTool } from './answer.ts'
import type { BoundedText } from './bounded-text.ts'

/**
 * What a message carries of an answer, in UTF-16 units: no message that crosses the bridge, and no row that is written at once, is longer
 * than a few milliseconds of work. The rest is kept in parts, which are read one at a time.
 */
export const shownUnits = { text: 512 * 1024, steps: 512 * 1024 } as const

/** Of an answer that is longer than a message: the UTF-16 units of its whole text, and whether its steps are shortened. */
export interface Shortened {
  readonly text: number
  readonly steps: boolean
}

/**
 * A part of an answer that is longer than its message: of the text behind what the message has, or of the JSON of all steps. `start` counts
 * UTF-16 units of the whole.
 */
export interface AnswerPart {
  readonly kind: 'text' | 'steps'
  readonly start: number
  readonly text: string
}

/** Least units of a part; one has twice as many, about. */
export const partUnits = 128 * 1024

/** The beginning of a text, without half a character at its end. */
export function beginningOf(text: string, units: number): string {
  if (text.length <= units) return text
  const last = text.charCodeAt(units - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? units - 1 : units)
}

/** Holds the beginning of a text that grows; its length is that of the whole text. */
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

/** How much may still be put into the steps of one answer. */
export interface StepRoom {
  /** Something did not fit. */
  readonly isShort: boolean
  text(more: string): string
  value<T>(value: T): T
  /** What is put to the end of texts and lists that are there: of a text no more than fits. */
  growth(call: AssistantTool): AssistantTool
}

/** Steps without a limit. */
export const endlessRoom: StepRoom = {
  isShort: false,
  text: (more) => more,
  value: (value) => value,
  growth: (call) => call,
}

/** However full the steps are, each keeps so much of its names and values. */
const least = { units: 100, entries: 12 } as const

/** Room for the steps of a message: values are whole as long as they fit, then shortened; `ended` gives a text that was cut its end. */
export function shownRoom(
  units: number = shownUnits.steps,
  ended: (cut: string) => string = (cut) => cut,
): StepRoom {
  let left = units
  let isShort = false
  const text = (more: string, atLeast = 0): string => {
    const cut = beginningOf(more, Math.max(left, atLeast))
    left = Math.max(0, left - more.length)
    if (cut.length === more.length) return more
    isShort = true
    return ended(cut)
  }
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return text(given, least.units)
    if (typeof given !== 'object' || given === null) {
      left = Math.max(0, left - 8)
      return given
    }
    const full = (kept: number): boolean => left === 0 && kept >= least.entries
    if (Array.isArray(given)) {
      const list: unknown[] = []
      for (const each of given) {
        if (full(list.length)) break
        list.push(value(each))
      }
      isShort ||= list.length < given.length
      return list
    }
    const entries: (readonly [string, unknown])[] = []
    for (const [name, each] of Object.entries(given)) {
      if (full(entries.length)) {
        isShort = true
        break
      }
      entries.push([text(name, least.units), value(each)])
    }
    return Object.fromEntries(entries)
  }
  return {
    get isShort() {
      return isShort
    },
    text,
    value: <T>(given: T) => value(given) as T,
    growth: ({ type, ...more }) => ({
      ...Object.fromEntries(
        Object.entries(more).map(([name, each]) => [
          name,
          typeof each === 'string' ? text(each) : value(each),
        ]),
      ),
      type,
    }),
  }
}

/** Steps as a message carries them. */
export const shownSteps = (steps: readonly AnswerStep[], room: StepRoom): readonly AnswerStep[] =>
  steps.map((step) => room.value(step))

/** A call with what more came of it: texts grow, outputs follow those before. */
export function grownCall(call: AssistantTool, more: AssistantTool): AssistantTool {
  const grown: Record<string, unknown> = { ...call }
  for (const [name, value] of Object.entries(more)) {
    const before = call[name]
    if (name === 'type' || value === undefined) continue
    if (typeof value === 'string' && typeof before === 'string') grown[name] = before + value
    else if (Array.isArray(value) && Array.isArray(before))
      grown[name] = [...(before as unknown[]), ...(value as unknown[])]
    else grown[name] = value
  }
  return { ...grown, type: call.type }
}
