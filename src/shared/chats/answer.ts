import { createStringText, type BoundedText } from './bounded-text.ts'
import {
  appendToCall,
  createStepBudget,
  shownText,
  unlimitedBudget,
  type Shortened,
  type StepBudget,
} from './shown-answer.ts'
import type { AssistantTool, AnswerStep } from './answer-step.ts'

/**
 * Event of an answer in progress, as stored and sent; `at` is Unix ms. `tool` contains the additions to an assistant's call, by
 * its position among the calls: its texts and outputs are appended to the earlier ones, unless `whole` is set and the call
 * replaces the earlier one. `tools` is the complete list of the calls at that time, as stored by earlier versions; it replaces
 * the previous one. `whole` corrects the text that was received in parts.
 */
export type AnswerEvent =
  | { readonly t: 'text'; readonly text: string; readonly at: number }
  | { readonly t: 'reasoning'; readonly text: string; readonly at: number }
  | { readonly t: 'thought'; readonly text: string; readonly at: number }
  | {
      readonly t: 'call'
      readonly callId: string
      readonly tool: string
      readonly arguments: unknown
      readonly at: number
    }
  | {
      readonly t: 'result'
      readonly callId: string
      readonly tool: string
      readonly result: unknown
      readonly status: string
      readonly durationMs: number | null
      readonly at: number
    }
  | {
      readonly t: 'tool'
      readonly place: number
      readonly call: AssistantTool
      readonly whole?: true
      readonly at: number
    }
  | { readonly t: 'tools'; readonly calls: readonly AssistantTool[]; readonly at: number }
  | { readonly t: 'session'; readonly id: string; readonly at: number }
  | { readonly t: 'unknown'; readonly name: string; readonly data: unknown; readonly at: number }
  | { readonly t: 'whole'; readonly text: string; readonly at: number }

export interface AnswerSoFar {
  readonly text: string
  readonly steps: readonly AnswerStep[]
  readonly sessionId: string | null
  /** Absent when text and steps are complete. */
  readonly shortened?: Shortened
}

/**
 * Maximum number of steps of one answer: no agent has so many, and each is held in memory, stored and rendered. The text
 * continues.
 */
export const maxSteps = 10_000

export const emptyAnswer: AnswerSoFar = { text: '', steps: [], sessionId: null }

/**
 * Incremental answer, updated event by event; each update costs only the size of the event, regardless of earlier ones.
 */
export interface AnswerFold {
  take(event: AnswerEvent): void
  /** Answer so far. A returned value does not change later. */
  readonly answer: AnswerSoFar
}

/** Number of results with the same ID that another one is compared with. */
const maxCompared = 16

/**
 * Creates an incremental answer. Consecutive text of the same kind is joined; reasoning ends with text or another step,
 * and an assistant's call without output ends with text. An exact repetition under the same ID is ignored; nothing else
 * is replaced. `text` already contains the text of `from`; `budget` limits the length of the steps.
 */
export function answerFold(
  from: AnswerSoFar = emptyAnswer,
  text: BoundedText = createStringText(from.text),
  budget: StepBudget = unlimitedBudget,
): AnswerFold {
  let { sessionId } = from
  let steps = [...from.steps]
  /** Whether the steps were returned to a caller. */
  let given = false
  let places: Places | null = null

  const isOpen = (at: number): boolean => {
    const step = steps[at]
    return step?.kind === 'call' && step.result === null
  }
  /** Returns the steps for modification; steps that were returned are copied first. */
  const open = (): AnswerStep[] => {
    if (given) steps = [...steps]
    given = false
    return steps
  }
  /** Computed on first use: most answers have no calls. */
  const known = (): Places => {
    if (places) return places
    places = { calls: createCallPlaces(isOpen), tools: [] }
    for (const [at, step] of steps.entries()) note(places, step, at)
    return places
  }
  const put = (at: number, step: AnswerStep): void => {
    open()[at] = step
  }
  /** Ends the last step if it waits for nothing: reasoning, or an assistant's call. */
  const endLast = (at: number, thinkingAlone = false): void => {
    const last = steps.at(-1)
    if (!last || last.kind === 'unknown' || last.kind === 'call' || last.endedAt !== null) return
    if (!thinkingAlone || isThinking(last)) put(steps.length - 1, { ...last, endedAt: at })
  }
  const add = (step: AnswerStep): void => {
    if (steps.length >= maxSteps) return
    endLast(step.startedAt, true)
    open().push(step)
    if (places) note(places, step, steps.length - 1)
  }
  const think = ({
    t: kind,
    text: more,
    at,
  }: Extract<AnswerEvent, { t: 'reasoning' | 'thought' }>) => {
    const last = steps.at(-1)
    if (last?.kind === kind && last.endedAt === null)
      put(steps.length - 1, { ...last, text: last.text + budget.text(more) })
    else add({ kind, text: budget.text(more), textAt: text.length, startedAt: at, endedAt: null })
  }
  /** Starts a call; a call whose result was received before it gets its arguments. */
  const call = ({ at, ...event }: Extract<AnswerEvent, { t: 'call' }>) => {
    const { callId, tool, arguments: callArguments } = budget.value(event)
    const place = known().calls.ofId(callId).at(-1)
    const before = place === undefined ? undefined : steps[place]
    if (place !== undefined && before?.kind === 'call' && before.tool === tool)
      if (before.arguments === null || isEqual(before.arguments, callArguments))
        return put(place, { ...before, arguments: callArguments })
    add({
      kind: 'call',
      callId,
      tool,
      arguments: callArguments,
      result: null,
      textAt: text.length,
      startedAt: at,
      endedAt: null,
      durationMs: null,
    })
  }
  /**
   * Matches a result with its call: by ID, otherwise with the oldest open call of that tool. A result without a call
   * becomes a step of its own.
   */
  const result = (received: Extract<AnswerEvent, { t: 'result' }>): void => {
    const event = budget.value(received)
    const { callId, tool } = event
    const place = known().calls.openFor(callId, tool)
    const ended = {
      result: { value: event.result, status: event.status },
      endedAt: event.at,
      durationMs: event.durationMs,
    }
    const waiting = place === undefined ? undefined : steps[place]
    if (place !== undefined && waiting?.kind === 'call') return put(place, { ...waiting, ...ended })
    const earlierCalls = known().calls.ofId(callId).slice(-maxCompared)
    if (earlierCalls.some((at) => isResult(steps[at], event.result))) return
    add({
      kind: 'call',
      callId,
      tool,
      arguments: null,
      textAt: text.length,
      startedAt: event.at,
      ...ended,
    })
  }
  /** Adds a new call of the assistant, or the additions to a known one; a new call begins now. */
  const receiveTool = ({
    place,
    call: received,
    whole,
    at,
  }: Extract<AnswerEvent, { t: 'tool' }>) => {
    const { tools } = known()
    const nth = tools[place]
    const step = nth === undefined ? undefined : steps[nth]
    const isNew = nth === undefined || step?.kind !== 'tool'
    const shown = isNew || whole ? budget.value(received) : budget.additions(received)
    const hasOutput = outputsOf(received) > 0
    if (isNew) {
      const endedAt = hasOutput ? at : null
      add({ kind: 'tool', call: shown, textAt: text.length, startedAt: at, endedAt })
    } else if (whole) put(nth, { ...step, call: shown })
    else {
      const grown = appendToCall(step.call, shown)
      put(nth, { ...step, call: grown, endedAt: hasOutput ? at : step.endedAt })
    }
  }
  /** Replaces the assistant's calls with the current list; new calls begin now. */
  const receiveTools = (calls: readonly AssistantTool[], at: number): void => {
    const before = known().tools.length
    for (const [nth, now] of calls.entries()) {
      const place = known().tools[nth]
      const step = place === undefined ? undefined : steps[place]
      if (nth >= before || place === undefined || step?.kind !== 'tool') {
        const endedAt = outputsOf(now) > 0 ? at : null
        // Calls that begin together do not end each other.
        add({ kind: 'tool', call: budget.value(now), textAt: text.length, startedAt: at, endedAt })
        continue
      }
      const more = outputsOf(now) > outputsOf(step.call)
      put(place, { ...step, call: budget.value(now), endedAt: more ? at : step.endedAt })
    }
  }
  return {
    take(event) {
      switch (event.t) {
        case 'text':
        case 'whole':
          if (event.t === 'text') text.add(event.text)
          else text.put(event.text)
          endLast(event.at)
          break
        case 'session':
          sessionId = event.id
          break
        case 'reasoning':
        case 'thought':
          think(event)
          break
        case 'call':
          call(event)
          break
        case 'result':
          result(event)
          break
        case 'tool':
          receiveTool(event)
          break
        case 'tools':
          receiveTools(event.calls, event.at)
          break
        case 'unknown': {
          const { name, data, at } = budget.value(event)
          add({ kind: 'unknown', name, data, textAt: text.length, startedAt: at })
        }
      }
    },
    get answer() {
      given = true
      const { length, text: shown } = text
      const isShortened = budget.isExceeded || shown.length < length
      return {
        text: shown,
        steps,
        sessionId,
        ...(isShortened && { shortened: { text: length, steps: budget.isExceeded } }),
      }
    },
  }
}

/** Creates an incremental answer that retains only as much as a message contains, regardless of its length. */
export const shownFold = (from: AnswerSoFar = emptyAnswer, text?: BoundedText): AnswerFold =>
  answerFold(
    from,
    text ?? shownText(from.text, from.shortened?.text),
    createStepBudget(from.shortened?.steps ? 0 : undefined),
  )

/** Returns the answer after one more event; for many events, use {@link answerFold}. */
export function foldAnswer(answer: AnswerSoFar, event: AnswerEvent): AnswerSoFar {
  const fold = answerFold(answer)
  fold.take(event)
  return fold.answer
}

/** Positions of steps that later events refer to. */
interface Places {
  readonly calls: CallPlaces
  readonly tools: number[]
}

function note({ calls, tools }: Places, step: AnswerStep, at: number): void {
  if (step.kind === 'tool') tools.push(at)
  if (step.kind === 'call') calls.enter(step, at, step.result === null)
}

/** Closes an answer: steps that were still open end at `at`. */
export const closeAnswer = (answer: AnswerSoFar, at: number): AnswerSoFar => ({
  ...answer,
  steps: answer.steps.map((step) =>
    step.kind === 'unknown' || step.endedAt !== null ? step : { ...step, endedAt: at },
  ),
})

const isThinking = (step: AnswerStep): boolean =>
  step.kind === 'reasoning' || step.kind === 'thought'

const isResult = (step: AnswerStep | undefined, result: unknown): boolean =>
  step?.kind === 'call' && step.result !== null && isEqual(step.result.value, result)

const isEqual = (a: unknown, b: unknown): boolean =>
  a === b ||
  (typeof a === typeof b && typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))

const outputsOf = ({ outputs }: AssistantTool): number =>
  Array.isArray(outputs) ? outputs.length : 0

/** Positions of the calls of an answer that a result may belong to. */
interface CallPlaces {
  /** Adds a call. `isOpen`: it has no result yet. */
  enter(call: { readonly callId: string; readonly tool: string }, at: number, isOpen: boolean): void
  /** Returns all calls with an ID, in order; none for an empty ID. */
  ofId(callId: string): readonly number[]
  /** Returns the oldest open call for a result: by ID, otherwise by tool if either has no ID. */
  openFor(callId: string, tool: string): number | undefined
}

interface Waiting {
  readonly calls: number[]
  /** Calls before this index are finished. */
  head: number
}

/** Creates it without calls; `isOpen` returns whether the call at a position is still open. */
function createCallPlaces(isOpen: (at: number) => boolean): CallPlaces {
  const byId = new Map<string, number[]>()
  const openById = new Map<string, Waiting>()
  const openByTool = new Map<string, Waiting>()
  const nameless = new Map<string, Waiting>()

  const wait = (lists: Map<string, Waiting>, name: string, at: number): void => {
    const known = lists.get(name)
    if (known) known.calls.push(at)
    else lists.set(name, { calls: [at], head: 0 })
  }
  const oldest = (waiting: Waiting | undefined): number | undefined => {
    if (!waiting) return undefined
    for (; waiting.head < waiting.calls.length; waiting.head++) {
      const at = waiting.calls[waiting.head]
      if (at !== undefined && isOpen(at)) return at
    }
    return undefined
  }
  return {
    enter({ callId, tool }, at, waits) {
      if (callId !== '') {
        const known = byId.get(callId)
        if (known) known.push(at)
        else byId.set(callId, [at])
      }
      if (!waits) return
      wait(openByTool, tool, at)
      if (callId === '') wait(nameless, tool, at)
      else wait(openById, callId, at)
    },
    ofId: (callId) => byId.get(callId) ?? [],
    openFor: (callId, tool) =>
      callId === ''
        ? oldest(openByTool.get(tool))
        : (oldest(openById.get(callId)) ?? oldest(nameless.get(tool))),
  }
}
